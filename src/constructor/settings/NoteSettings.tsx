import { Checkbox } from '@blueprintjs/core'
import { type ReactElement, useId, useRef, useState } from 'react'
import type { Field } from '../../contract/generated.ts'
import { pictureMarkdown } from '../../contract/notePictures.ts'
import { makeCall } from '../../engine/core/calls.ts'
import { useContract } from '../../engine/core/contract.ts'
import { fieldErrors } from '../../engine/core/fieldErrors.ts'
import { InsertableText } from '../controls/InsertableText.tsx'
import { Messages } from '../controls/Messages.tsx'
import { TextSetting } from '../controls/TextSetting.tsx'
import type { Address } from '../state/address.ts'
import { type SetAttrs, useEditorContext } from '../state/editorContext.ts'
import { messagesAt } from '../state/editorErrors.ts'
import { insertableAt } from './insertableAt.ts'

interface Props {
  field: Field
  address: Address
  set: SetAttrs
}

/** Settings of a note: its text, pictures and tone. */
export function NoteSettings({ field, address, set }: Props): ReactElement {
  const form = useEditorContext()
  const { errors } = form
  const text = field.attrs?.text ?? ''
  return (
    <>
      <InsertableText
        label="Text"
        insertable={insertableAt(form, address, field)}
        hint="**bold**, _italic_, lists with - and links as [words](https://…); {name} stands for an answer"
        long
        maxLength={5000}
        value={text}
        messages={messagesAt(errors, address, 'attrs.text')}
        onChange={(next) => set({ text: next || undefined }, { what: 'Text', typing: true })}
      />
      <AddPicture
        key={address.join('.')}
        onAdded={(picture) =>
          set({ text: [text, picture].filter(Boolean).join('\n\n') }, { what: 'Picture' })
        }
      />
      <Checkbox
        label="Show it as a warning"
        checked={field.attrs?.tone === 'warning'}
        onChange={(event) =>
          set({ tone: event.currentTarget.checked ? 'warning' : undefined }, { what: 'Warning' })
        }
      />
    </>
  )
}

/** Uploads a picture with its alternative text, and passes its Markdown to `onAdded`. */
function AddPicture({ onAdded }: { onAdded: (markdown: string) => void }): ReactElement {
  const { caseType, announce } = useEditorContext()
  const contract = useContract()
  const [words, setWords] = useState('')
  const [message, setMessage] = useState('')
  const [isBusy, setBusy] = useState(false)
  const id = useId()
  // The latest callback, so that text typed during the upload is not lost.
  const latest = useRef(onAdded)
  latest.current = onAdded
  const upload = async (file: File) => {
    if (words.trim() === '') return setMessage('First say in words what the picture shows')
    const body = new FormData()
    body.append('file', file)
    setMessage('')
    setBusy(true)
    try {
      const params = { id: caseType }
      const stored = await makeCall<{ id: number }>(contract, 'caseTypes.addPicture', { params, body })
      latest.current(pictureMarkdown(words, stored.id))
      setWords('')
      announce(`${file.name} is added to the text`)
    } catch (error) {
      setMessage(fieldErrors(error)?.file?.[0] ?? `${file.name} could not be uploaded`)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <TextSetting
        label="What a picture shows"
        hint="Read to people who cannot see it; then choose the picture, which is added to the text"
        own
        maxLength={300}
        value={words}
        onChange={setWords}
      />
      <div className="constructor-setting">
        <label htmlFor={id}>Picture (png, jpeg or webp)</label>
        <input
          id={id}
          type="file"
          accept=".png,.jpg,.jpeg,.webp"
          disabled={isBusy}
          aria-describedby={message ? `${id}-error` : undefined}
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? []
            // Reset, so that choosing the same file again fires a change event.
            currentTarget.value = ''
            if (file) void upload(file)
          }}
        />
        <Messages id={`${id}-error`} messages={message ? [message] : []} />
      </div>
    </>
  )
}
