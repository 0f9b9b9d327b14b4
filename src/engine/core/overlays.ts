export { Dialog, Drawer } from '@blueprintjs/core'
