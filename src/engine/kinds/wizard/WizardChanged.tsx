import { QuestionsChanged } from '../form/QuestionsChanged.tsx'
import type { Wizard } from './useWizard.ts'

/** Notice in the bar of each page of a wizard that new versions of its metas changed its fields. */
export function WizardChanged({ wizard }: { wizard: Wizard }) {
  return (
    <QuestionsChanged
      title="The questions have changed since you began; what you typed is kept"
      changes={wizard.metaChange}
      onDismiss={wizard.dismissMetaChange}
    />
  )
}
