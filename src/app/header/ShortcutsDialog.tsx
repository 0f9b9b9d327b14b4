import { DialogBody, Switch } from '@blueprintjs/core'
import { useState } from 'react'
import { Dialog } from '../../engine/page/Dialog.tsx'
import { setSingleKeyShortcuts, singleKeyShortcuts } from '../../engine/runtime/shortcuts.ts'

const KEYS: [keys: string, does: string][] = [
  ['Ctrl + K', 'Find a client'],
  ['/', 'Go to the filters of a list, elsewhere find a client'],
  ['j and k', 'Next and previous row of a list'],
  ['x', 'Select the row, where a list has boxes for that'],
  ['?', 'Show these keys'],
  ['F6', 'Go to the newest message'],
  ['Esc', 'Close messages, dialogs and lists'],
]

/** The list of keys, and the switch for those of a single key, which get in the way of speech input. */
export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const [single, setSingle] = useState(singleKeyShortcuts)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      onOpened={(dialog) => dialog.querySelector('input')?.focus()}
      title="Keyboard shortcuts"
    >
      <DialogBody>
        <dl className="keys">
          {KEYS.map(([keys, does]) => (
            <div key={keys}>
              <dt>
                <kbd>{keys}</kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <Switch
          label="Use shortcuts of a single key"
          checked={single}
          onChange={({ currentTarget: { checked } }) => {
            setSingleKeyShortcuts(checked)
            setSingle(checked)
          }}
        />
      </DialogBody>
    </Dialog>
  )
}
