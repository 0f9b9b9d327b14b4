import { loadable } from '../page/loadable.tsx'
import { withStyle } from '../runtime/loadStyle.ts'
import type { FieldWidgetProps } from './widgetProps.ts'

/** Asks for a signature. */
export const Signature = loadable<FieldWidgetProps>(() =>
  withStyle('signature', import('./SignaturePad.tsx')),
)

/** A signature that is stored, by the id of its file. */
export const SignaturePicture = loadable<{ id: number; label: string }>(() =>
  withStyle('signature', import('./StoredPicture.tsx')),
)
