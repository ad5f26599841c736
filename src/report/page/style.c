/* report/page/style.c: the style sheet and the script of the page.
 *
 * Colors are variables with a light and a dark set. The policy allows this one script, by its
 * hash (tests/page_test.sh computes it), and no request at all. Neither text has a `<` or an `&`,
 * so the page is XML, too.
 */
#include "report/page/style.h"

#include "report/page/markup.h"

#define SCRIPT_HASH "0IsynVI1k20DLrqtFYvxvNI9wrel83rdIepgqritckc="

static const char *const STYLE[] = {
    ":root{color-scheme:light dark;--bg:#fff;--fg:#1a1e23;--dim:#59636e;--line:#e1e5ea;"
    "--panel:#f6f7f9;--accent:#2459c9;--good:#1a7337;--bad:#b3261e;--warn:#805500;"
    "--l1:#b4530a;--l2:#1a7f6a;--l3:#8a3ab0;--l4:#59636e;--l5:#a1265e}\n",
    "@media (prefers-color-scheme:dark){:root{--bg:#101316;--fg:#e3e7eb;--dim:#9aa4af;"
    "--line:#2a3037;--panel:#181c21;--accent:#80abff;--good:#5ec97b;--bad:#ff8a80;--warn:#e2b558;"
    "--l1:#f0a35e;--l2:#5ed1b8;--l3:#cf9bf0;--l4:#9aa4af;--l5:#f289b5}}\n",
    "*{box-sizing:border-box}html{-webkit-text-size-adjust:100%;scroll-behavior:smooth}\n"
    "body{margin:0;background:var(--bg);color:var(--fg);font:16px/1.55 system-ui,-apple-system,"
    "\"Segoe UI\",Roboto,\"Helvetica Neue\",sans-serif;overflow-wrap:anywhere}\n"
    "header,main,footer,.top{max-width:62rem;margin:0 auto;padding:0 1.25rem}\n"
    "a{color:var(--accent);text-decoration:none}a:hover{text-decoration:underline}\n"
    ":focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:3px}\n",
    "h1{font-size:1.75rem;line-height:1.25;font-weight:650;letter-spacing:-.015em;margin:.1rem 0}"
    "h2{font-size:1.25rem;font-weight:650;letter-spacing:-.01em;margin:3rem 0 1rem}"
    "h3{font-size:1.05rem;font-weight:600;margin:0}"
    "h4{font-size:.8125rem;font-weight:600;color:var(--dim);margin:1.25rem 0 .375rem}\n"
    "p{margin:.5rem 0}header{padding-top:2.5rem}header p{color:var(--dim)}\n"
    "header .verdict{font-size:1.125rem;color:var(--fg);margin:.25rem 0 1.5rem}\n"
    "code,pre,.mono{font-family:ui-monospace,SFMono-Regular,\"SF Mono\",Menlo,Consolas,"
    "\"Liberation Mono\",monospace;font-size:.8125rem;line-height:1.6}\n",
    "nav ul{display:flex;flex-wrap:wrap;gap:.25rem "
    "1.25rem;list-style:none;margin:0;padding:.75rem "
    "0;border-bottom:1px solid var(--line);font-size:.9375rem}\n"
    ".skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:.5rem;background:var(--bg);"
    "padding:.5rem}\n"
    ".facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(7.5rem,1fr));gap:1rem;"
    "margin:"
    "0 0 1.5rem}.facts div{border-top:2px solid var(--line);padding-top:.5rem}"
    ".facts dt{font-size:.8125rem;color:var(--dim)}.facts dd{margin:0;font-size:1.25rem;"
    "font-weight:600;font-variant-numeric:tabular-nums}\n",
    ".small{gap:.25rem 1.5rem;grid-template-columns:repeat(auto-fill,minmax(7.5rem,1fr));margin:"
    ".75rem 0}.small div{border:0;padding:0}.small dd{font-size:.9375rem;font-weight:500}\n"
    ".badge{font-size:.8125rem;font-weight:600;white-space:nowrap}.badge::before{content:\"\";"
    "display:inline-block;width:.5rem;height:.5rem;border-radius:50%;background:currentColor;"
    "margin-right:.4rem}.good{color:var(--good)}.bad{color:var(--bad)}.warn{color:var(--warn)}"
    ".dim,.key{color:var(--dim)}.key{font-size:.8125rem}\n",
    "table{border-collapse:collapse;width:100%;font-size:.875rem;font-variant-numeric:tabular-"
    "nums}"
    "th{font-weight:500;color:var(--dim);text-align:left;font-size:.8125rem}"
    "td,th{padding:.25rem .75rem .25rem 0;border-bottom:1px solid var(--line);vertical-align:top}"
    "tr:last-child td{border-bottom:0}.n{text-align:right}td.n{white-space:nowrap}"
    "td.w{width:34%;min-width:7rem;padding-right:0}caption{text-align:left;font-size:.8125rem;"
    "font-weight:600;color:var(--dim);padding:.25rem 0}\n"
    "table+table,figure+table,p+table,dl+table,table+figure{margin-top:1.5rem}"
    "th.n,td.n{min-width:5rem;width:5rem}td.at{width:9rem}\n"
    ".history{list-style:none;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:.125rem 1.25rem;"
    "font-size:.875rem;color:var(--dim)}.history b{font-weight:500;color:var(--fg)}"
    ".cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(17rem,1fr));gap:1rem 2rem;"
    "align-items:start}.graphs{display:grid;grid-template-columns:repeat(auto-fit,minmax(min("
    "24rem,100%),1fr));gap:0 2rem}.graphs>figure{min-width:0}.cards table{margin:0}.cards "
    "td.w{width:45%}\n"
    "td.name{white-space:nowrap;width:1%;color:var(--dim)}td.value{white-space:pre-wrap}.badge,"
    "td.bad,td.good,td.warn{white-space:nowrap}\n",
    "article{border:1px solid var(--line);border-radius:10px;padding:1.125rem "
    "1.25rem;margin:1rem "
    "0;content-visibility:auto;contain-intrinsic-size:auto 24rem}article "
    "header{padding:0;margin:0;"
    "display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:baseline;max-width:none}\n"
    "section.property{border-top:1px solid var(--line);padding:1.5rem 0 .5rem}"
    "section.property>header{padding:0;margin:0;display:flex;flex-wrap:wrap;gap:.25rem .75rem;"
    "align-items:baseline;max-width:none}\n"
    ".message{white-space:pre-wrap;margin:.75rem 0}.sure{max-width:44rem}\n",
    "pre{margin:0;white-space:pre-wrap;background:var(--panel);border-radius:6px;padding:.625rem "
    ".875rem}.copy{position:relative}.copy pre{padding-right:4.5rem}.copy "
    "button{position:absolute;"
    "top:.3125rem;right:.375rem;display:none;font:500 .75rem/1.5 system-ui,sans-serif;color:"
    "var(--fg);background:var(--bg);border:1px solid "
    "var(--line);border-radius:5px;padding:.1875rem "
    ".625rem;cursor:pointer}.js .copy button{display:block}.copy button:hover{border-color:"
    "var(--dim)}\n",
    "details{margin:.5rem 0}summary{cursor:pointer;color:var(--dim);font-size:.8125rem;width:"
    "max-content;max-width:100%}summary:hover{color:var(--fg)}details[open]>summary{margin-"
    "bottom:"
    ".375rem}.scroll{overflow-x:auto;max-width:100%}\n",
    "figure{margin:1.25rem "
    "0}figcaption{font-size:.8125rem;font-weight:600;color:var(--dim);margin:"
    "0 0 .5rem}svg{display:block}svg text{font:12px system-ui,sans-serif;fill:var(--fg)}"
    "svg .dim{fill:var(--dim)}svg .mid{text-anchor:middle}svg .end{text-anchor:end}\n"
    ".bar{width:100%;height:.75rem;margin-top:.3rem;background:var(--panel);border-radius:2px}"
    ".bar rect{height:100%;fill:var(--accent);fill-opacity:.55}.bar line{stroke:var(--fg);"
    "stroke-width:2}.bar .s1{fill:var(--l1)}.bar .s2{fill:var(--l4)}\n",
    ".area{display:grid;grid-template-columns:max-content 1fr "
    "max-content;grid-template-rows:auto "
    "1fr auto;gap:.125rem .5rem;font-size:.75rem;color:var(--dim);font-variant-numeric:"
    "tabular-nums}.area svg{grid-column:2/4;grid-row:1/3;width:100%;height:11rem}"
    ".y1{grid-column:1;grid-row:1;text-align:right}.y0{grid-column:1;grid-row:2;align-self:end;"
    "text-align:right}.area .x0,.area .x,.area .x1{grid-row:3}.area .x0{grid-column:2;"
    "justify-self:start}.area .x{grid-column:2;justify-self:center}.area .x1{grid-column:3}\n",
    ".grid{stroke:var(--line);stroke-width:1;fill:none;vector-effect:non-scaling-stroke}"
    ".line{stroke:var(--accent);stroke-width:2;fill:none;vector-effect:non-scaling-stroke}"
    ".l1{stroke:var(--l1)}.l2{stroke:var(--l2)}.l3{stroke:var(--l3)}.l4{stroke:var(--l4)}"
    ".l5{stroke:var(--l5)}.hit{fill:transparent}.hit:hover{fill:var(--fg);fill-opacity:.08}"
    ".legend{font-size:.8125rem;color:var(--dim)}.legend span{margin-right:1rem}.legend svg{"
    "display:inline-block;width:1rem;height:.25rem;vertical-align:middle}\n",
    ".cell{fill:var(--accent)}.graph svg{width:100%;min-width:24rem;max-width:38rem}"
    ".arrow{stroke:var(--accent);fill:none}.node{fill:var(--bg);stroke:var(--fg);stroke-width:1."
    "5}"
    ".graph text{font-size:15px}#tip "
    "path{fill:var(--accent)}.defs{position:absolute;width:0;height:0}"
    ".pop{position:fixed;z-index:9;pointer-events:none;background:var(--fg);color:var(--bg);"
    "font-size:.75rem;line-height:1.4;padding:.1875rem .5rem;border-radius:4px;max-width:18rem}\n"
    "footer{color:var(--dim);font-size:.8125rem;padding-top:3rem;padding-bottom:2rem}\n",
    "@media "
    "(max-width:40rem){.wide{display:none}th.n,td.n{min-width:0;width:auto}header{padding-top:1."
    "5rem}h1{font-size:1.5rem}"
    "article{padding:1rem}.facts{grid-template-columns:repeat(2,1fr)}td.w{width:22%;min-width:"
    "2.5rem}"
    "td,th{padding-right:.5rem}}\n",
    "@media print{nav,.skip,.copy button,summary{display:none!important}body{font-size:10pt}"
    "article,figure,tr,.facts{break-inside:avoid}article{content-visibility:visible}h2,h3,h4{"
    "break-after:avoid}a{color:inherit}header,main,footer{max-width:none;padding-left:0;"
    "padding-right:0}.scroll{overflow:visible}}\n"
    "@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}\n",
};

static const char SCRIPT[] =
    "(function(){'use strict';var d=document,pop=d.createElement('div'),held=null;"
    "d.documentElement.className='js';pop.className='pop';pop.hidden=true;"
    "pop.setAttribute('aria-hidden','true');d.body.appendChild(pop);\n"
    "function drop(){if(held){held[0].insertBefore(held[1],held[0].firstChild);held=null;"
    "pop.hidden=true}}\n"
    "function titled(n){for(;n instanceof SVGElement;n=n.parentNode){var t=n.firstElementChild;"
    "if(t?t.localName==='title':false)return[n,t]}return null}\n"
    "d.addEventListener('pointerover',function(e){drop();var at=titled(e.target);if(at){held=at;"
    "pop.textContent=at[1].textContent;at[0].removeChild(at[1]);pop.hidden=false}});\n"
    "d.addEventListener('pointermove',function(e){if(held){pop.style.left=Math.max(4,Math.min("
    "e.clientX+12,innerWidth-pop.offsetWidth-4))+'px';pop.style.top=Math.max(4,e.clientY-32)"
    "+'px'}});\n"
    "d.addEventListener('pointerleave',drop);d.addEventListener('click',function(e){"
    "var b=e.target.closest('.copy button');if(!b)return;var "
    "pre=b.parentNode.querySelector('pre'),"
    "range=d.createRange(),s=getSelection();range.selectNodeContents(pre);s.removeAllRanges();"
    "s.addRange(range);function done(){b.textContent='Copied';setTimeout(function(){"
    "b.textContent='Copy'},1500)}\n"
    "if(navigator.clipboard)navigator.clipboard.writeText(pre.textContent).then(done,function(){"
    "d.execCommand('copy');done()});else{d.execCommand('copy');done()}});\n"
    "addEventListener('beforeprint',function(){d.querySelectorAll('details').forEach(function(x){"
    "x.open=true})})})();\n";

void wri_style_open(FILE *out, const char *title)
{
    wri_markup_put(out,
                   "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n"
                   "<head><meta charset=\"utf-8\"/>\n"
                   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                   "style-src 'unsafe-inline'; script-src 'sha256-" SCRIPT_HASH "'; base-uri "
                   "'none'; form-action 'none'\"/>\n"
                   "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                   "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
                   "<title>%t</title>\n<style>\n",
                   title);
    for (size_t i = 0; i < sizeof STYLE / sizeof *STYLE; i++)
        fputs(STYLE[i], out);
    fputs("</style></head>\n<body><a class=\"skip\" href=\"#main\">Skip to the content</a>\n",
          out);
    fputs("<svg class=\"defs\" aria-hidden=\"true\"><defs><marker id=\"tip\" viewBox=\"0 0 8 8\" "
          "refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" "
          "markerUnits=\"userSpaceOnUse\" orient=\"auto\">"
          "<path d=\"M0 0L8 4L0 8z\"/></marker></defs></svg>\n",
          out);
}

void wri_style_close(FILE *out)
{
    fputs("<script>", out);
    fputs(SCRIPT, out);
    fputs("</script>\n</body></html>\n", out);
}
