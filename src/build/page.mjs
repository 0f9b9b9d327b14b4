/** The page that every address answers with. The server puts what it knows at run time in place of `<!--head-->`. */
export const page = ({ script, styles: { main, ...late }, preload }) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Advocacy casework</title>
    <!--head-->
    ${[
      ...Object.entries(late).map(([name, style]) => `<meta name="${name}-style" content="/${style}">`),
      main && `<link rel="stylesheet" href="/${main}">`,
      `<script type="module" src="/${script}"></script>`,
      ...preload.map((chunk) => `<link rel="modulepreload" href="/${chunk}">`),
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
