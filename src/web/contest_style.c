/* contest_style.c - the style sheet of contest pages: colours of docs/spec/web/tokens.css, light
 * and dark; one column on a phone, tables scroll inside themselves. */
#include "web/contest_pages.h"

#include "journal/journal_line.h"
#include "results/svg_plot.h"

#define COLORS_LIGHT                                                                               \
    "--paper:#fbf9f5;--panel:#fff;--ink:#1d1b22;--soft:#625d6b;--rule:#e4dfd6;--faint:#f3efe8;"    \
    "--accent:#5b3fb0;--focus:#5b3fb0;--wolf:#8c1d04;--warn:#a8431a;--low:#f2b48c;--high:#a9bff2;" \
    "--plot-paper:#fff;--plot-mark:#5b3fb0;--plot-grid:#e4dfd6;--bar:#8b83a0;"
#define COLORS_DARK                                                                                \
    "--paper:#131218;--panel:#1b1a22;--ink:#ece9f1;--soft:#a8a2b4;--rule:#302e3a;--faint:#23212c;" \
    "--accent:#b7a2ff;--focus:#b7a2ff;--wolf:#fe6450;--warn:#ff9d6e;--low:#7d4526;--high:#35509c;" \
    "--plot-paper:#1b1a22;--plot-mark:#b7a2ff;--plot-grid:#302e3a;--bar:#8d8799;"

static const char screen_css[] =
    ":root{color-scheme:light dark;" COLORS_LIGHT
    "--font:\"Inter\",\"Noto Sans\",system-ui,-apple-system,\"Segoe UI\",Roboto,\"Hiragino Sans\","
    "\"Yu Gothic UI\",\"Noto Sans CJK JP\",\"Noto Sans JP\",Meiryo,sans-serif}\n"
    "@media screen and (prefers-color-scheme:dark){:root{" COLORS_DARK "}}\n"
    ":root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}\n"
    "*{box-sizing:border-box}\n"
    "html{-webkit-text-size-adjust:100%;text-size-adjust:100%}\n"
    "body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 var(--font)}\n"
    "a{color:var(--accent);text-underline-offset:.15em}\n"
    ":focus-visible{outline:2px solid var(--focus);outline-offset:2px;border-radius:3px}\n"
    "main:focus{outline:none}\n"
    ".skip{position:absolute;left:-999px}.skip:focus{left:8px;top:8px;z-index:9;padding:8px 12px;"
    "background:var(--panel)}\n"
    ".vh{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);"
    "white-space:nowrap}\n"
    ".top{background:var(--panel);border-bottom:1px solid var(--rule)}\n"
    ".pages ul,main,footer{max-width:82rem;margin:0 auto;padding:0 24px}\n"
    "nav ul{display:flex;flex-wrap:wrap;gap:0 4px;margin:0;padding:0;list-style:none}\n"
    ".pages a,.steps a{display:inline-flex;align-items:center;min-height:40px;padding:0 12px;"
    "color:var(--soft);text-decoration:none;border-bottom:2px solid transparent}\n"
    ".pages ul{padding:0 12px}\n"
    "nav a:hover{color:var(--ink)}\n"
    "nav a[aria-current]{color:var(--ink);font-weight:600;border-bottom-color:var(--accent)}\n"
    ".steps{margin:0 0 12px -12px}.steps a{font-size:14px}\n"
    "main{padding-top:20px;padding-bottom:8px}\n"
    "h1{font-size:26px;line-height:1.25;font-weight:650;letter-spacing:-.01em;margin:0 0 8px;"
    "overflow-wrap:anywhere}\n"
    "h2{font-size:18px;line-height:1.3;font-weight:650;margin:36px 0 8px}\n"
    "h3{font-size:15px;font-weight:650;margin:24px 0 8px}\n"
    "p{margin:8px 0;max-width:48rem}\n"
    ".note,.found{color:var(--soft);font-size:14px}\n"
    ".warn{color:var(--warn);font-weight:600}\n"
    ".more a,.found a{display:inline-block;padding:4px 0}\n"
    ".progress{display:flex;flex-wrap:wrap;align-items:center;gap:4px 12px;margin:4px 0 16px}\n"
    "progress{width:14rem;max-width:100%;height:10px;accent-color:var(--accent)}\n"
    ".key{display:grid;grid-template-columns:repeat(auto-fill,minmax(9.5rem,1fr));gap:16px 24px;"
    "margin:16px 0 24px}\n"
    ".key div{border-top:2px solid var(--rule);padding-top:6px}\n"
    ".key dt,.facts dt{color:var(--soft);font-size:13px}\n"
    ".key dd{margin:0;font-size:23px;line-height:1.3;font-weight:600;"
    "font-variant-numeric:tabular-nums}\n"
    ".key small{display:block;font-size:13px;font-weight:400;color:var(--soft)}\n"
    ".facts{display:grid;grid-template-columns:max-content 1fr;gap:4px 24px;margin:0;"
    "font-variant-numeric:tabular-nums}\n"
    ".facts dt{font-size:14px}.facts dd{margin:0;overflow-wrap:anywhere}\n"
    "code{font:13px/1.4 ui-monospace,\"Cascadia Mono\",\"DejaVu Sans Mono\",Menlo,monospace;"
    "overflow-wrap:anywhere}\n"
    "figure{margin:20px 0}\n"
    ".acts{margin:8px 0;padding:0;list-style:none}.acts li{padding:6px 0;overflow-wrap:anywhere;"
    "border-top:1px solid var(--rule)}.acts span{color:var(--soft);font-size:14px}\n"
    ".printed{overflow:auto;max-height:32rem;margin:12px 0;padding:8px "
    "12px;background:var(--panel);"
    "border:1px solid var(--rule);border-radius:10px;font:13px/1.4 ui-monospace,\"Cascadia Mono\","
    "\"DejaVu Sans Mono\",Menlo,monospace}\n";

/* The line at the top, as web/src/base.css has it for the other pages. */
static const char bar_css[] =
    ".top .bar{display:flex;flex-wrap:wrap;align-items:center;gap:6px 12px;min-height:52px;"
    "padding:6px 16px}\n"
    ".top .bar p{margin:0;max-width:none}\n"
    ".home a{display:inline-flex;align-items:center;justify-content:center;min-width:28px;"
    "min-height:40px;border-radius:10px;color:var(--wolf);text-decoration:none}\n"
    ".mark{width:28px;height:28px;display:block}\n"
    ".mark .ring{fill:none;stroke:currentColor;stroke-width:2.4}\n"
    ".blank{text-align:center;padding-top:12vh}.blank p{margin:8px auto}.blank .mark{width:64px;"
    "height:64px;margin:0 auto 12px;color:var(--soft);opacity:.75}\n"
    ".icon{width:20px;height:20px;display:block;flex:none}\n"
    ".contest{flex:1 1 0;min-width:0;font-size:17px;line-height:1.3;font-weight:650;"
    "overflow-wrap:anywhere}\n"
    ".contest a{color:inherit;text-decoration:none}.contest a:hover{text-decoration:underline}\n"
    ".language a,#theme,.find button,.find input{display:inline-flex;align-items:center;"
    "justify-content:center;min-height:40px;border:1px solid var(--rule);border-radius:10px;"
    "background:var(--panel);color:var(--ink);font:15px/1.3 var(--font)}\n"
    ".language a{padding:0 14px;text-decoration:none}\n"
    "#theme,.find button{width:40px;padding:0;cursor:pointer}#theme[hidden]{display:none}\n"
    ".language a:hover,#theme:hover,.find button:hover{background:var(--faint)}\n"
    ".find{display:flex;min-width:0;flex:0 1 20rem}\n"
    ".find input[type=search]{flex:1;min-width:0;padding:0 12px;border-right:0;"
    "border-radius:10px 0 0 10px}\n"
    ".find button{border-radius:0 10px 10px 0;color:var(--soft);flex:none}\n"
    ".find input::placeholder{color:var(--soft);opacity:1}\n"
    "#fresh{position:fixed;left:50%;bottom:20px;transform:translateX(-50%);z-index:9;margin:0;"
    "display:flex;flex-wrap:wrap;gap:2px 12px;align-items:center;justify-content:center;"
    "padding:4px 16px;width:max-content;max-width:calc(100vw - 32px);border-radius:12px;"
    "background:var(--ink);color:var(--paper);box-shadow:0 4px 16px #0003}\n"
    "#fresh[hidden]{display:none}\n"
    "#fresh a{display:inline-flex;align-items:center;min-height:40px;color:inherit;"
    "font-weight:600}\n";

static const char table_css[] =
    ".scroll{position:relative;overflow-x:auto;margin:12px 0;background:var(--panel);border:1px "
    "solid var(--rule);"
    "border-radius:10px;width:fit-content;max-width:100%;min-width:min(100%,36rem)}\n"
    "table{border-collapse:collapse;width:100%;font-size:14px;line-height:1.4;"
    "font-variant-numeric:tabular-nums}\n"
    "caption{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}\n"
    ".heat caption,.teams caption{position:static;width:auto;height:auto;clip-path:none;"
    "text-align:left;padding:8px 12px 0;color:var(--soft);font-size:13px}\n"
    "th,td{padding:5px 8px;text-align:left;vertical-align:baseline;"
    "border-bottom:1px solid var(--rule)}\n"
    "th:first-child,td:first-child{padding-left:12px}th:last-child,td:last-child{"
    "padding-right:12px}\n"
    "tbody tr:last-child>*{border-bottom:0}\n"
    "thead th{color:var(--soft);font-size:13px;font-weight:500;vertical-align:bottom;"
    "border-bottom:1.5px solid var(--soft)}\n"
    "thead a,thead th>span:not([class]){color:inherit;text-decoration:none;display:inline-block;"
    "padding:4px 0}\n"
    "thead a:hover{text-decoration:underline}\n"
    "thead th[aria-sort]{color:var(--ink);font-weight:650}\n"
    ".by{font-size:10px;margin-left:4px}\n"
    "tbody th{font-weight:600;min-width:8rem;max-width:18rem;overflow-wrap:anywhere}\n"
    "tbody th a{color:inherit;text-decoration-color:var(--rule)}\n"
    "tbody th a:hover{text-decoration-color:currentColor}\n"
    ".n{text-align:right;white-space:nowrap}\n"
    "td small{color:var(--soft);font-size:13px}\n"
    "tbody tr:hover{background:var(--faint)}\n"
    "td .span{margin:2px 0}\n"
    ".i{white-space:nowrap}.i .span{display:inline-block;width:6rem;margin:0 12px 0 0;"
    "vertical-align:middle}\n"
    ".roles td{min-width:6.5rem;white-space:nowrap}\n"
    ".scale{display:flex;justify-content:space-between;width:6rem;font-size:11px;font-weight:400;"
    "color:var(--soft)}\n"
    ".groups{position:relative;padding:0 8px}\n"
    "td .bar{position:absolute;top:0;bottom:-1px;width:4px;background:var(--bar);max-width:none;"
    "padding:0;margin:0;display:block;z-index:1}\n"
    "td .bt{top:5px;border-radius:2px 2px 0 0}td .be{bottom:5px;border-radius:0 0 2px 2px}\n"
    ".l0{left:8px}.l1{left:16px}.l2{left:24px}.l3{left:32px}.l4{left:40px}.l5{left:48px}"
    ".l6{left:56px}.l7{left:64px}.l8{left:72px}.l9{left:80px}.l10{left:88px}.l11{left:96px}\n"
    ".t{white-space:nowrap}.long{min-width:20rem;overflow-wrap:anywhere}\n"
    ".heat{width:auto}.heat td,.heat thead th{text-align:center;padding:0;min-width:34px;"
    "height:30px;vertical-align:middle;border:1px solid var(--panel)}\n"
    ".heat td a{display:block;padding:4px 2px;color:var(--ink);text-decoration:none}\n"
    ".heat td a:hover{text-decoration:underline}\n"
    ".heat tbody th{white-space:nowrap;vertical-align:middle;padding:2px "
    "12px;border-bottom:0;max-width:none}\n"
    ".heat .number{display:inline-block;min-width:1.6em;color:var(--soft);font-weight:400;"
    "text-align:right;margin-right:4px}\n"
    ".heat .no{color:var(--soft)}.heat tbody tr:hover{background:none}\n"
    ".h0{background:color-mix(in srgb,var(--low) 100%,var(--panel))}"
    ".h1{background:color-mix(in srgb,var(--low) 72%,var(--panel))}"
    ".h2{background:color-mix(in srgb,var(--low) 46%,var(--panel))}"
    ".h3{background:color-mix(in srgb,var(--low) 24%,var(--panel))}"
    ".h4{background:var(--faint)}"
    ".h5{background:color-mix(in srgb,var(--high) 24%,var(--panel))}"
    ".h6{background:color-mix(in srgb,var(--high) 46%,var(--panel))}"
    ".h7{background:color-mix(in srgb,var(--high) 72%,var(--panel))}"
    ".h8{background:color-mix(in srgb,var(--high) 100%,var(--panel))}\n"
    ".pager{display:flex;flex-wrap:wrap;align-items:center;gap:0 16px;font-size:14px;"
    "color:var(--soft)}.pager a{display:inline-flex;align-items:center;min-height:40px}\n";

static const char form_css[] =
    ".filter fieldset{display:flex;flex-wrap:wrap;align-items:end;gap:8px 12px;margin:12px 0;"
    "padding:8px 12px 12px;border:1px solid var(--rule);border-radius:10px;background:var(--panel);"
    "min-width:0}\n"
    ".filter legend{color:var(--soft);font-size:13px;padding:0 4px}\n"
    ".filter p{margin:0;min-width:0}\n"
    ".filter label{display:block;color:var(--soft);font-size:13px}\n"
    ".filter select,.filter input:not([type=hidden]){font:inherit;color:var(--ink);"
    "background:var(--paper);border:1px solid var(--soft);border-radius:6px;min-height:40px;"
    "padding:0 8px;max-width:100%}\n"
    ".filter select{width:12rem}\n"
    ".filter input[size]{width:7rem}\n"
    ".send{display:flex;align-items:center;gap:16px}\n"
    ".filter "
    "button{font:inherit;font-weight:600;color:var(--panel);background:var(--accent);border:0;"
    "border-radius:6px;min-height:40px;padding:0 18px;cursor:pointer}\n"
    ".legend{display:flex;flex-wrap:wrap;gap:4px 24px;list-style:none;margin:12px 0 0;padding:0;"
    "font-size:14px}\n"
    ".legend li{display:flex;align-items:center;gap:8px;min-width:0;overflow-wrap:anywhere}\n"
    "footer{color:var(--soft);font-size:13px;padding-top:32px;padding-bottom:32px}\n"
    "footer p{margin:4px 0}\n"
    "@media (max-width:40rem){main,footer{padding-left:16px;padding-right:16px}"
    ".top .bar{gap:6px 8px;padding:6px 10px}.find{order:9;flex-basis:100%}"
    ".language a,#theme,.find button,.find input[type=search]{min-height:44px;font-size:16px}"
    ".language a{font-size:15px}#theme,.find button{width:44px}"
    ".pages ul{padding:0 2px;gap:0}.pages a,.steps a{min-height:44px;padding:0 8px;font-size:14px}"
    ".steps{margin-left:-8px}.long{min-width:15rem}"
    ".facts{grid-template-columns:1fr;gap:0}.facts dd{margin-bottom:10px}"
    ".key{grid-template-columns:repeat(2,minmax(0,1fr));gap:12px 16px;overflow-wrap:anywhere}.key "
    "dd{font-size:20px}"
    ".filter p{flex:1 1 40%}.filter select,.filter input:not([type=hidden]){width:100%;"
    "font-size:16px;min-height:44px}.filter .send{flex-basis:100%}.filter button{min-height:44px}"
    "tbody th{min-width:7rem;max-width:11rem}.scroll{min-width:0}}\n"
    "@media (forced-colors:active){td .bar{background:CanvasText}.heat td{border:1px solid "
    "CanvasText}}\n"
    "@media "
    "print{.pages,.steps,.language,.find,#theme,#fresh,#acts,#logs,.filter,.pager,.more,.skip,."
    "home{display:"
    "none}"
    ".scroll{overflow:visible;border:0}body{font-size:10pt}tr,figure,.key{break-inside:avoid}"
    "thead{display:table-header-group}a{color:inherit;text-decoration:none}}\n";

void contest_pages_css(Buf *out)
{
    buf_add(out, svg_plot_css());
    buf_add(out, str_of(screen_css));
    /* What was chosen stands above what the system has; paper stays light. */
    buf_printf(out, "@media screen{:root[data-theme=dark]{%s%s}:root[data-theme=light]{%s%s}}\n",
               svg_plot_colors(true), COLORS_DARK, svg_plot_colors(false), COLORS_LIGHT);
    buf_add(out, str_of(bar_css));
    buf_add(out, str_of(table_css));
    buf_add(out, str_of(form_css));
}

void contest_pages_css_address(Buf *out)
{
    CLEANUP(buf_done) Buf css = {0};

    contest_pages_css(&css);
    buf_printf(out, CONTEST_ASSETS_PATH "contest.%08x.css", journal_crc_add(0, buf_str(&css)));
    if (buf_failed(&css))
        buf_fail(out);
}
