import { Button } from '@blueprintjs/core'
import { type DragEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useNavigate, useParams } from 'react-router-dom'
import { editableFields } from '../../../contract/entity.ts'
import type { UploadScreen } from '../../../contract/generated.ts'
import { isSet, type Values } from '../../../contract/when.ts'
import { useNoStrayDrops } from '../../actions/useNoStrayDrops.ts'
import { useRecordBreadcrumbs } from '../../core/breadcrumbs.ts'
import { useContract } from '../../core/contract.ts'
import { downloadFile } from '../../core/download.ts'
import { Heading } from '../../core/Heading.tsx'
import { linkTo } from '../../core/link.ts'
import { loadStyle } from '../../core/loadStyle.ts'
import { useUser } from '../../core/user.ts'
import { UnsavedGuard } from '../../form/drafts/UnsavedGuard.tsx'
import { type FormHandle, FormView } from '../../form/FormView.tsx'
import { ChosenFiles } from './ChosenFiles.tsx'
import { useChosenFiles } from './useChosenFiles.ts'

await loadStyle('upload')

/** A screen to upload files with the answers of a form; nothing is sent before the button is pressed. */
export default function UploadFiles({ screen }: { screen: UploadScreen }) {
  const contract = useContract()
  const user = useUser()
  const params = useParams()
  const navigate = useNavigate()
  const form = useRef<FormHandle>(null)
  const [answers, setAnswers] = useState<Values>({})
  const [problem, setProblem] = useState('')
  const sections = useMemo(() => {
    const { body } = contract.endpoints[screen.upload]
    const asked = editableFields(contract.bodies[body ?? ''] ?? { properties: {} })
    const fields = (screen.fields ?? []).flatMap((name) => asked.find((field) => field.name === name) ?? [])
    return [{ key: 'asked', at: '', groups: [{ name: 'fields', label: '', fields }] }]
  }, [contract, screen])
  const conditionContext = useMemo(() => ({ user }), [user])
  const { files, announcement, isSending, add, drop, send } = useChosenFiles(screen, params)
  useNoStrayDrops()
  useRecordBreadcrumbs(screen, params, screen.title)

  const unsent = files.filter(({ state }) => state !== 'done').length
  // A file that was refused is no reason to stay: the others have results to look at.
  const pending = files.filter(({ state }) => state === 'chosen' || state === 'going').length
  const resultOf = (reply?: Values) => reply && linkTo(screen.then, { ...params, ...reply })
  const sent = files.filter(({ state }) => state === 'done')
  const isComplete = sent.length > 0 && unsent === 0
  useEffect(() => {
    if (!isComplete) return
    const [{ reply }] = sent
    const several = sent.length > 1 && screen.thenAll
    const to = several || resultOf(reply)
    if (to) navigate(to)
  }, [isComplete])

  const addFiles = (added: Iterable<File>) => {
    setProblem('')
    add(added)
  }
  const submit = () => {
    if (Object.keys(form.current?.submit() ?? {}).length > 0) return
    if (unsent === 0) return setProblem('Choose a file')
    void send(form.current?.document() ?? {})
  }
  return (
    <section className="upload-screen">
      <Heading>{screen.title}</Heading>
      {screen.about && <p className="list-about">{screen.about}</p>}
      {sections[0].groups[0].fields.length > 0 && (
        <FormView
          ref={form}
          sections={sections}
          initial={NOTHING}
          conditionContext={conditionContext}
          onChange={(document) => setAnswers(document)}
        />
      )}
      {screen.template && <TemplateButton template={screen.template} answers={answers} />}
      <DropArea accept={screen.accept} onFiles={addFiles} />
      {problem && (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
      <ChosenFiles files={files.map((one) => ({ ...one, to: resultOf(one.reply) }))} onDrop={drop} />
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      <div className="form-bar">
        <Button
          intent="primary"
          text={screen.button}
          loading={isSending}
          aria-busy={isSending}
          onClick={submit}
        />
      </div>
      <UnsavedGuard when={pending > 0} />
    </section>
  )
}

const NOTHING: Values = {}

/** An area to drop files on, with a button that chooses them. */
function DropArea({ accept, onFiles }: { accept: string[]; onFiles: (files: Iterable<File>) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    onFiles(event.dataTransfer.files)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: people who cannot drop a file use the button
    <div
      className={over ? 'upload-drop upload-over' : 'upload-drop'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <p>Drop files here or choose them: {accept.join(' or ')}</p>
      <Button icon="document" text="Choose files" onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={accept.join(',')}
        aria-label="Choose files"
        onChange={({ currentTarget }) => {
          onFiles(currentTarget.files ?? [])
          // Reset, so that the same file can be selected again once it is corrected.
          currentTarget.value = ''
        }}
      />
    </div>
  )
}

/** A button that downloads a template file, once the answers that it depends on are set. */
function TemplateButton({
  template,
  answers,
}: {
  template: NonNullable<UploadScreen['template']>
  answers: Values
}) {
  const contract = useContract()
  const [busy, setBusy] = useState(false)
  const query = Object.fromEntries(
    Object.entries(template.query ?? {}).map(([name, field]) => [name, answers[field]]),
  )
  if (!Object.values(query).every(isSet)) return null
  const save = () => {
    setBusy(true)
    downloadFile(contract, template.call, { query })
      // The HTTP client has shown the error.
      .catch(() => undefined)
      .finally(() => setBusy(false))
  }
  return <Button icon="download" text={template.label} loading={busy} aria-busy={busy} onClick={save} />
}
