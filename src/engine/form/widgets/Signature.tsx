import { loadable } from '../../core/loadable.tsx'
import { withStyle } from '../../core/loadStyle.ts'
import type { FieldWidgetProps } from './widgetProps.ts'

export const Signature = loadable<FieldWidgetProps>(() =>
  withStyle('signature', import('./SignaturePad.tsx')),
)

/** A stored signature, by the id of its file. */
export const SignaturePicture = loadable<{ id: number; label: string }>(() =>
  withStyle('signature', import('./StoredPicture.tsx')),
)
