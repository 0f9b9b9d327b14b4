import { HTMLTable } from '@blueprintjs/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { NavLink, Route, Routes } from 'react-router-dom'
import { type CellName, cells } from '../cells/cells.ts'
import { Busy } from '../core/Busy.tsx'
import { ContractContext, useContract } from '../core/contract.ts'
import { ErrorCard } from '../core/ErrorCard.tsx'
import { useDocumentTitle } from '../core/pageContext.ts'
import { UserContext } from '../core/user.ts'
import { type FormHandle, FormView } from '../form/FormView.tsx'
import { Screen } from '../Screen.tsx'
import { answerPreview } from './answers.ts'
import { contract, user } from './contract.ts'
import { answers, group } from './fields.ts'

const SECTIONS = [{ key: 'all', at: '', groups: [group] }]
const CONTEXT = {}
const NOTHING = {}

const VALUES: Partial<Record<CellName, [field: string, value: unknown][]>> = {
  text: [['name', 'Ann']],
  date: [['made', '2026-06-04']],
  datetime: [['at', '2026-06-04T09:42:00Z']],
  ago: [['made', '2026-06-04']],
  hours: [['spent', 5400]],
  lookup: [
    ['friends', [1, 3]],
    ['colour', 2],
  ],
  tag: [
    ['colour', 1],
    ['urgent', 'yes'],
    ['urgent', 'no'],
  ],
  number: [['count', 12_345]],
  yesno: [
    ['urgent', 'yes'],
    ['urgent', 'not_known'],
  ],
  changes: [['name', [{ field: 'name', label: 'Name', from: 'Ann', to: 'Anna' }]]],
  size: [['count', 123_456]],
  age: [['made', '1962-06-04']],
  due: [
    ['made', '2026-06-04'],
    ['made', '2100-06-04'],
  ],
  nhsNumber: [['name', '9434765919']],
  phone: [['name', '020 7946 0123']],
}

answerPreview()
const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })

const PAGES: Record<string, ReactNode> = {
  widgets: <WidgetStates />,
  cells: <CellStates />,
  states: (
    <>
      <ErrorCard error={new Error('Something failed while drawing')} onRetry={() => undefined} />
      <Busy />
    </>
  ),
}
const SCREENS = ['list', 'grid', 'report', 'line', 'figures', 'search', 'empty', 'broken', 'missing', 'form']
const LINKS = [...Object.keys(PAGES), ...SCREENS, 'detail/1/info', 'wizard']

/** Previews the engine's widgets, cells and screens with fixtures; for development, at /preview/*. */
export default function Preview() {
  useDocumentTitle('Preview')
  return (
    <ContractContext value={contract}>
      <QueryClientProvider client={queries}>
        <UserContext value={user}>
          <nav className="detail-tabs" aria-label="Preview">
            {LINKS.map((to) => (
              <NavLink key={to} to={`/preview/${to}`}>
                {to.split('/')[0]}
              </NavLink>
            ))}
          </nav>
          <Routes>
            {Object.entries(PAGES).map(([name, element]) => (
              <Route key={name} path={name} element={element} />
            ))}
            {SCREENS.map((name) => (
              <Route key={name} path={name} element={<Screen name={name} />} />
            ))}
            <Route path="detail/:id" element={<Screen name="detail" />}>
              <Route path="info" element={<Screen name="info" />} />
              <Route path="parts" element={<Screen name="parts" />} />
            </Route>
            <Route path="wizard/:step?" element={<Screen name="wizard" />} />
          </Routes>
        </UserContext>
      </QueryClientProvider>
    </ContractContext>
  )
}

/** The values to preview a cell with, null at the end; a text if VALUES has none. */
function statesOf(name: CellName): [field: string, value: unknown][] {
  const values = VALUES[name] ?? [['name', 'Ann']]
  return [...values, [values[0][0], null]]
}

/** Every cell with values, and with null. */
function CellStates() {
  const { properties } = useContract().entities.thing
  return (
    <HTMLTable compact bordered>
      <thead>
        <tr>
          <th scope="col">Cell</th>
          <th scope="col">Value</th>
          <th scope="col">Drawn</th>
        </tr>
      </thead>
      <tbody>
        {(Object.keys(cells) as CellName[]).flatMap((name) =>
          statesOf(name).map(([field, value], i) => {
            const Cell = cells[name]
            return (
              <tr key={`${name} ${JSON.stringify(value)}`}>
                <th scope="row">{i === 0 && name}</th>
                <td>{JSON.stringify(value)}</td>
                <td>
                  <Cell value={value} property={properties[field]} row={{}} />
                </td>
              </tr>
            )
          }),
        )}
      </tbody>
    </HTMLTable>
  )
}

/** A field of every type: empty, answered, invalid and read-only. */
function WidgetStates() {
  const wrong = useRef<FormHandle>(null)
  useEffect(() => void wrong.current?.submit(), [])
  return (
    <>
      <h2>Empty</h2>
      <FormView sections={SECTIONS} initial={NOTHING} conditionContext={CONTEXT} />
      <h2>Answered</h2>
      <FormView sections={SECTIONS} initial={answers} conditionContext={CONTEXT} />
      <h2>Wrong</h2>
      <FormView ref={wrong} sections={SECTIONS} initial={NOTHING} conditionContext={CONTEXT} hideSummary />
      <h2>Only shown</h2>
      <FormView sections={SECTIONS} initial={answers} conditionContext={CONTEXT} readOnly />
    </>
  )
}
