import { Button, HTMLSelect } from '@blueprintjs/core'
import {
  memo,
  type ReactElement,
  type RefObject,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { contextOfService, contextOfTest } from '../../contract/caseType/formTestContext.ts'
import type { Calendars } from '../../contract/deadlines/calendars.ts'
import { isRendered } from '../../contract/fieldTypes.ts'
import type { Automation, Deadline, Field, FormTest, Group } from '../../contract/generated.ts'
import type { MetaName } from '../../contract/meta/metaTypes.ts'
import type { FieldErrors } from '../../contract/validateAnswers.ts'
import type { ConditionContext, Values } from '../../contract/when.ts'
import { useContract } from '../../engine/core/contract.ts'
import { useUser } from '../../engine/core/user.ts'
import { type FormHandle, type FormSection, FormView } from '../../engine/form/FormView.tsx'
import { defaultsFor } from '../../engine/form/store/sections.ts'
import { isLarge, renderNow } from '../controls/useNear.ts'
import { fieldAt, seek } from '../state/address.ts'
import { contextOfTrial, NO_TRIAL } from '../state/trial.ts'
import type { EditTests } from '../state/useDraftHistory.ts'
import { KeepTest } from '../tests/KeepTest.tsx'
import { NearFields } from './NearFields.tsx'
import { OnRecord } from './OnRecord.tsx'
import { OutsideValues } from './OutsideValues.tsx'
import { TriedAutomations } from './TriedAutomations.tsx'
import { TriedDeadlines } from './TriedDeadlines.tsx'
import { WhyNote } from './WhyNote.tsx'

const MARGIN = 20

interface Props {
  caseType: number
  meta: MetaName
  groups: Group[]
  /** The fields outside of the form that it can name, by path. */
  outside: Map<string, Field>
  /** The groups of the case form while the tab of automations is open; [] otherwise. */
  caseGroups: Group[]
  automations: Automation[]
  deadlines: Deadline[]
  tests: FormTest[]
  /** Service of the case that the sample stands for. */
  service: number
  calendars: Calendars | undefined
  editTests: EditTests
  hidden: boolean
  /** The tab of automations is open: say what follows from the sample answers even if that is nothing. */
  isTrial: boolean
  /** Name of the selected group. */
  group?: string
  /** Dotted path of the selected field below its group, for a column with its repeats; '' if no field is selected. */
  path: string
}

const NOTHING: Values = {}

/** Preview of the form, with the renderer that staff get; sample answers survive every edit and are never saved. */
export const PreviewPane = memo(function PreviewPane(props: Props): ReactElement {
  const { meta, groups, outside, caseGroups, automations, deadlines, tests, service, calendars } = props
  const { editTests, hidden, isTrial, group, path } = props
  const me = useUser()
  const { roles } = useContract().roles
  const [role, setRole] = useState<number>()
  const user = useMemo(() => (role === undefined ? me : { ...me, groups: [role] }), [me, role])
  const [sampleErrors, setSampleErrors] = useState<FieldErrors>({})
  const pane = useRef<HTMLElement>(null)
  const form = useRef<FormHandle>(null)
  const deferredGroups = useDeferredValue(groups)
  const [sample, setSample] = useState(NOTHING)
  const [trial, setTrial] = useState(NO_TRIAL)
  const sections = useMemo(
    () => [{ key: meta, at: 'answers', groups: deferredGroups }],
    [meta, deferredGroups],
  )
  const conditionContext = useMemo<ConditionContext>(
    () => ({
      user,
      with: {
        ...contextOfTest({ meta, as: { today: '' }, with: trial.with }, contextOfService(service)).with,
        caseType: { calendars },
      },
      withDefaults: true,
      seenAt: { answers: { values: {}, fields: outside } },
    }),
    [user, meta, service, calendars, trial, outside],
  )
  const isInParts = useMemo(() => isLarge(deferredGroups), [deferredGroups])
  const prefix = `sample-${meta}`
  useSampleDefaults(form, sections)
  useHighlight(
    pane,
    path ? `${prefix}.answers.${path.split('.')[0]}` : group && `${prefix}-${meta}-${group}`,
    deferredGroups,
  )

  const sampleContext = useMemo<ConditionContext>(
    () => ({
      ...conditionContext,
      answers: sample.answers as Values | undefined,
      seen: conditionContext.seenAt?.answers,
    }),
    [conditionContext, sample],
  )
  const trialContext = useMemo(
    () =>
      isTrial
        ? contextOfTrial(trial, sampleContext, { deadlines, meta, groups: deferredGroups, calendars })
        : sampleContext,
    [isTrial, trial, sampleContext, deadlines, meta, deferredGroups, calendars],
  )
  const address = path ? seek(deferredGroups, [group ?? '', ...path.split('.')]) : undefined
  const item = address && fieldAt(deferredGroups, address)
  return (
    <section
      className="constructor-pane constructor-preview"
      aria-labelledby={prefix}
      hidden={hidden}
      data-own-text=""
      ref={pane}
    >
      <div className="constructor-top">
        <div className="constructor-buttons">
          <h2 id={prefix}>{isTrial ? 'Try it' : 'Preview'}</h2>
          {isTrial && <OnRecord {...props} groups={deferredGroups} />}
          <Button
            size="small"
            text="Check sample answers"
            onClick={() => setSampleErrors(form.current?.submit() ?? {})}
          />
        </div>
        <div className="constructor-as">
          <label htmlFor={`${prefix}-as`}>As</label>
          <HTMLSelect
            id={`${prefix}-as`}
            iconProps={{ title: undefined }}
            value={role === undefined ? '' : String(role)}
            onChange={(event) => setRole(Number(event.currentTarget.value) || undefined)}
          >
            <option value="">myself</option>
            {roles.map(({ id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </HTMLSelect>
          <KeepTest
            {...{ meta, service, automations, deadlines, tests, calendars, trial, editTests }}
            groups={deferredGroups}
            given={() => (form.current?.document().answers ?? {}) as Values}
            roles={user.groups}
            roleLabel={roles.find(({ id }) => id === role)?.label ?? 'yourself'}
          />
        </div>
        <p className="constructor-hint">As staff see it. Sample answers are not saved.</p>
        {isTrial && (
          <TriedAutomations
            automations={automations}
            of={meta === 'case_meta' ? 'case' : 'issue'}
            groups={deferredGroups}
            conditionContext={trialContext}
          />
        )}
        {item && !isTrial && (
          <WhyNote
            groups={deferredGroups}
            name={path}
            label={item.label.trim() || item.name}
            isHidden={!isRendered(item)}
            conditionContext={sampleContext}
            errors={sampleErrors[`answers.${path}`] ?? []}
          />
        )}
      </div>
      {isTrial && (
        <TriedDeadlines
          {...{ deadlines, meta, trial }}
          metas={{ case_meta: caseGroups, issue_meta: meta === 'issue_meta' ? deferredGroups : [] }}
          groups={deferredGroups}
          conditionContext={trialContext}
          onTrial={setTrial}
        />
      )}
      <OutsideValues
        groups={deferredGroups}
        outside={outside}
        facts={trial.with}
        onChange={(facts) => setTrial({ ...trial, with: facts })}
      />
      <FormView
        ref={form}
        sections={sections}
        initial={NOTHING}
        conditionContext={conditionContext}
        idPrefix={prefix}
        frame={isInParts ? NearFields : undefined}
        onChange={(document) => {
          setSample(document)
          setSampleErrors({})
        }}
      />
    </section>
  )
})

/** Highlights the element with this id and scrolls its pane, never the page, to right below the sticky header there. */
function useHighlight(
  pane: RefObject<HTMLElement | null>,
  id: string | undefined,
  dependency: unknown,
): void {
  useEffect(() => {
    const box = pane.current
    if (id === undefined || !box) return
    let marked: Element | undefined
    const mark = () => {
      const found = document.getElementById(id)
      const part = found?.closest('.field') ?? found
      if (!part || !box.contains(part)) return
      const unrendered = part.closest('[data-unrendered]')
      if (unrendered) return renderNow(unrendered)
      observer.disconnect()
      marked = part
      part.setAttribute('data-marked', '')
      const inside = part.getBoundingClientRect()
      const top = box.firstElementChild!.getBoundingClientRect().bottom + MARGIN
      if (inside.top < top || inside.bottom > box.getBoundingClientRect().bottom) {
        box.scrollTop += inside.top - top
      }
    }
    // A field that was just added, or is not near what is visible, is rendered later than it is selected.
    const observer = new MutationObserver(mark)
    observer.observe(box, { childList: true, subtree: true })
    mark()
    return () => {
      observer.disconnect()
      marked?.removeAttribute('data-marked')
    }
  }, [pane, id, dependency])
}

/** Applies the defaults of a new form to the sample, also when a field gets a default later; typed answers stay. */
function useSampleDefaults(form: RefObject<FormHandle | null>, sections: FormSection[]): void {
  const applied = useRef<Values>({})
  useEffect(() => {
    const next = (defaultsFor(sections).answers ?? {}) as Values
    const answers = (form.current?.document().answers ?? {}) as Values
    const newDefaults = Object.entries(next).filter(
      ([name, value]) =>
        value !== applied.current[name] &&
        (answers[name] === undefined || answers[name] === applied.current[name]),
    )
    applied.current = next
    if (newDefaults.length > 0) form.current?.merge({ answers: Object.fromEntries(newDefaults) })
  }, [form, sections])
}
