import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { NavLink, Route, Routes } from 'react-router-dom'
import { Busy } from '../page/Busy.tsx'
import { ErrorCard } from '../page/ErrorCard.tsx'
import { useDocumentTitle } from '../page/pageContext.ts'
import { Screen } from '../page/Screen.tsx'
import { ContractContext } from '../runtime/contract.ts'
import { UserContext } from '../runtime/user.ts'
import { answerPreview } from './answers.ts'
import { CellStates } from './CellStates.tsx'
import { contract, user } from './contract.ts'
import { WidgetStates } from './WidgetStates.tsx'

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
const SCREENS = ['list', 'grid', 'empty', 'broken', 'missing', 'form']
const LINKS = [...Object.keys(PAGES), ...SCREENS, 'detail/1/info', 'wizard']

/** Everything the engine draws, from fixtures; for development, at /preview/*. */
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
