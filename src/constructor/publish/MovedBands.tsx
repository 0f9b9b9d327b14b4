import { Button } from '@blueprintjs/core'
import { type ReactElement, useState } from 'react'
import { offeredOptions } from '../../contract/fieldTypes.ts'
import { TextSetting } from '../controls/TextSetting.tsx'
import type { MovedField } from '../state/takeAnswers.ts'
import { linesOfBands, readTakenBands, setTakenBands } from '../state/takenBands.ts'
import type { EditorState } from '../state/useEditor.ts'

interface Props {
  editor: EditorState
  move: MovedField
}

/** A box for lines such as "0–4 None", which say what choice the numbers of a field become. */
export function MovedBands({ editor, move }: Props): ReactElement {
  const { meta, name, is, values = [] } = move
  const [text, setText] = useState(() => linesOfBands(values, is))
  const [problem, setProblem] = useState('')
  const apply = () => {
    const { bands, problem: wrong = '' } = readTakenBands(text, is)
    setProblem(wrong)
    if (bands) editor.history.editDraft((draft) => setTakenBands(draft, meta, name, bands), { what: 'Bands' })
  }
  return (
    <div className="constructor-moved-bands">
      <TextSetting
        label={`Bands of ${is.label}, one a line`}
        hint={`Such as 0–4 ${offeredOptions(is)[0].label}; the first one that has a number counts`}
        long
        own
        value={text}
        messages={problem ? [problem] : []}
        onChange={setText}
      />
      <Button size="small" text="Use these bands" onClick={apply} />
    </div>
  )
}
