import { createElement } from 'react'
import type {
  AssignScreen,
  CompareScreen,
  DetailScreen,
  FormScreen,
  ListScreen,
  PaperScreen,
  ReportScreen,
  Screen,
  SearchScreen,
  UploadScreen,
  WizardScreen,
} from '../contract/generated.ts'
import { Busy } from './core/Busy.tsx'
import { loadable } from './core/loadable.tsx'
import { withStyle } from './core/loadStyle.ts'

const BUSY = createElement(Busy)

/** The component of each kind of screen, lazy-loaded. */
export const kinds = {
  list: loadable<{ screen: ListScreen; name: string }>(() => import('./kinds/list/List.tsx'), BUSY),
  report: loadable<{ screen: ReportScreen; name: string }>(() => import('./kinds/report/Report.tsx'), BUSY),
  form: loadable<{ screen: FormScreen }>(() => import('./kinds/form/Form.tsx'), BUSY),
  detail: loadable<{ screen: DetailScreen }>(() => import('./kinds/record/Detail.tsx'), BUSY),
  wizard: loadable<{ screen: WizardScreen }>(
    () => withStyle('wizard', import('./kinds/wizard/Wizard.tsx')),
    BUSY,
  ),
  search: loadable<{ screen: SearchScreen }>(() => import('./kinds/list/Search.tsx'), BUSY),
  assign: loadable<{ screen: AssignScreen }>(() => import('./kinds/assign/Assign.tsx'), BUSY),
  upload: loadable<{ screen: UploadScreen }>(() => import('./kinds/upload/UploadFiles.tsx'), BUSY),
  compare: loadable<{ screen: CompareScreen }>(() => import('./kinds/compare/Compare.tsx'), BUSY),
  paper: loadable<{ screen: PaperScreen }>(() => import('./kinds/paper/Paper.tsx'), BUSY),
}

/** Preloads the code of a screen kind; a failure is ignored here and reported when it is rendered. */
export async function preloadKind(kind: Screen['kind']): Promise<void> {
  await kinds[kind as keyof typeof kinds]?.preload().catch(() => undefined)
}

export function preloadKinds(): void {
  for (const kind of Object.keys(kinds)) void preloadKind(kind as Screen['kind'])
}
