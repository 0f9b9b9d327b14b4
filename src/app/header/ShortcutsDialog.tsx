import { DialogBody, Switch } from '@blueprintjs/core'
import { useState } from 'react'
import { Dialog } from '../../engine/core/Dialog.tsx'
import { setSingleKeyShortcuts, singleKeyShortcuts } from '../../engine/core/shortcuts.ts'
import type { Command } from '../core/commands.ts'

const KEYS: [keys: string, does: string][] = [
  ['Ctrl + K', 'Find a client, a record or a command'],
  ['Ctrl + Enter', 'Save the form'],
  ['/', 'Go to the filters of a list, elsewhere find a client'],
  ['j and k', 'Next and previous row of a list'],
  ['x', 'Select the row, where a list has boxes for that'],
  ['t and p', 'Tick off the next step of the row, or postpone it'],
  ['?', 'Show these keys'],
  ['F6', 'Go to the newest message'],
  ['Esc', 'Close messages, dialogs and lists'],
]

/** The keys of a command, such as 'g then c', and its description. */
function sentenceOf({ keys = '', label, to }: Command): [string, string] {
  return [keys.replace(' ', ' then '), to ? `Go to ${label}` : label]
}

/** The list of shortcuts, and a switch for those of a single key, which interfere with speech input. */
export default function ShortcutsDialog({ commands, onClose }: { commands: Command[]; onClose: () => void }) {
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
          {[...commands.map(sentenceOf), ...KEYS].map(([keys, does]) => (
            <div key={keys}>
              <dt>
                <kbd>{keys}</kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <Switch
          label="Use single-key shortcuts"
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
