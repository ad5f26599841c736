-- bench/peers/QuickCheckPeer.hs: the two properties of `core` for QuickCheck.
-- Usage: quickcheck sums|reversals N
module Main (main) where

import Data.Int (Int32)
import System.Environment (getArgs)
import Test.QuickCheck

sums :: Int32 -> Int32 -> Bool
sums a b = a + b == b + a

reversals :: Property
reversals = forAllBlind (choose (0, 100) >>= \n -> vectorOf n (arbitraryBoundedIntegral :: Gen Int32)) $
  \xs -> reverse (reverse xs) == xs

main :: IO ()
main = do
  [what, cases] <- getArgs
  let with = stdArgs { maxSuccess = read cases, chatty = False }
  if what == "sums" then quickCheckWith with sums else quickCheckWith with reversals
