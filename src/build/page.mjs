/** The page that every address answers with. The server puts what it knows at run time in place of `<!--head-->`. */
export const page = ({ script, style, inside, preload }) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Advocacy casework</title>
    <!--head-->
    ${[
      inside && `<meta name="inside-style" content="/${inside}">`,
      style && `<link rel="stylesheet" href="/${style}">`,
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
