import { settingsHelp } from './settings.ts'

// `npm start -- --help`: builds nothing, so that it can be asked beside a running product.
console.log(settingsHelp())
