"""bench/peers/hypothesis_peer.py: the two properties of `core` for Hypothesis.
Usage: python3 hypothesis_peer.py sums|reversals N"""
import sys

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

INT32 = st.integers(-2**31, 2**31 - 1)
quietly = settings(max_examples=int(sys.argv[2]), database=None, deadline=None,
                   phases=[Phase.generate], suppress_health_check=list(HealthCheck))


@quietly
@given(INT32, INT32)
def sums(a, b):
    assert (a + b) & 0xffffffff == (b + a) & 0xffffffff


@quietly
@given(st.data())
def reversals(data):
    n = data.draw(st.integers(0, 100))
    xs = data.draw(st.lists(INT32, min_size=n, max_size=n))
    ys = list(xs)
    ys.reverse()
    ys.reverse()
    assert xs == ys


sums() if sys.argv[1] == "sums" else reversals()
