// Packages that only `tests/bench/package.json` installs, which the benches do on their own.
declare module '@jsonforms/core'
declare module '@jsonforms/react'
declare module '@jsonforms/vanilla-renderers'
declare module 'autocannon'
declare module 'react-hook-form'
declare module 'survey-core'
declare module 'survey-react-ui'
declare module 'survey-core/survey-core.min.css'
