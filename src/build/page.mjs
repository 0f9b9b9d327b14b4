const modulePreload = (script) => `<link rel="modulepreload" href="/${script}">`

/** Preload links of a group, in a comment: `<!--inside: <link …>-->`. */
const preloadOf = ({ group, scripts, style }) =>
  `<!--${group}: ${scripts.map(modulePreload).join('')}${style ? `<link rel="preload" as="style" href="/${style}">` : ''}-->`

/**
 * The HTML page of every address. The server replaces `<!--head-->` with what it knows at run time, and the comments of
 * those groups of scripts that the address needs with their links.
 */
export const page = ({ script, styles: { main, ...late }, font, first, preloads }) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <!--head-->
    ${[
      ...Object.entries(late).map(([name, style]) => `<meta name="${name}-style" content="/${style}">`),
      font && `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${font}">`,
      main && `<link rel="stylesheet" href="/${main}">`,
      `<script type="module" src="/${script}"></script>`,
      ...first.map(modulePreload),
      ...preloads.map(preloadOf),
    ]
      .filter(Boolean)
      .join('\n    ')}
  </head>
  <body>
    <noscript>This application needs JavaScript. Switch it on in your browser and load the page again.</noscript>
    <div id="root"></div>
  </body>
</html>
`
