import path from 'node:path'

/** Entry module of every page, which is loaded before any group. */
export const START = 'src/app/start.tsx'

/**
 * The lazily loaded parts of the program, grouped by what is used together: each group is one file. `after` names the
 * groups that are always loaded before, so that shared modules are in their files.
 */
export const GROUPS = {
  // Needed by every page of a signed-in person; most of these are lists.
  inside: { after: [], files: ['src/app/Shell.tsx', 'src/engine/kinds/list/List.tsx'] },
  // Loaded immediately afterwards. Dialogs are loaded before one opens, because the server may be unreachable by then.
  soon: {
    after: ['inside'],
    files: [
      'src/app/Toasts.tsx',
      'src/app/signIn/Cover.tsx',
      'src/app/signIn/IdleDialog.tsx',
      'src/app/signIn/askForProof.tsx',
      'src/app/header/BellPanel.tsx',
      'src/app/header/Palette.tsx',
      'src/app/header/ShortcutsDialog.tsx',
      'src/engine/core/overlays.ts',
      'src/engine/form/widgets/Typeahead.tsx',
      'src/engine/form/widgets/Combobox.tsx',
      'src/engine/form/widgets/Strength.tsx',
      'src/engine/kinds/list/CheckboxGroup.tsx',
    ],
  },
  // Records and their forms, in pages and in dialogs.
  record: {
    after: ['inside', 'soon'],
    files: [
      'src/engine/kinds/record/Detail.tsx',
      'src/engine/kinds/record/Aside.tsx',
      'src/engine/kinds/record/Progress.tsx',
      'src/engine/kinds/record/OpenWork.tsx',
      'src/engine/kinds/record/Cards.tsx',
      'src/engine/kinds/form/Form.tsx',
      'src/engine/kinds/form/SidePanelForm.tsx',
      'src/engine/kinds/form/Preview.tsx',
      'src/engine/kinds/wizard/Wizard.tsx',
      'src/engine/kinds/assign/Assign.tsx',
      'src/engine/kinds/upload/UploadFiles.tsx',
      'src/engine/actions/ConfirmDialog.tsx',
      'src/engine/actions/TypedConfirm.tsx',
      'src/engine/actions/ExplainDialog.tsx',
      'src/engine/actions/FormDialog.tsx',
      'src/engine/actions/HoldDialog.tsx',
      'src/engine/actions/Upload.tsx',
      'src/engine/actions/Download.tsx',
      'src/engine/actions/PutBack.tsx',
      'src/engine/cells/Changes.tsx',
    ],
  },
  // Features of some lists only.
  lists: {
    after: ['inside', 'soon'],
    files: [
      'src/engine/kinds/report/Report.tsx',
      'src/engine/kinds/list/Search.tsx',
      'src/engine/kinds/figure/Figure.tsx',
      'src/engine/kinds/list/Timeline.tsx',
      'src/engine/kinds/list/Needs.tsx',
      'src/engine/kinds/list/OpenedRow.tsx',
      'src/engine/kinds/list/SelectionBar.tsx',
      'src/engine/kinds/list/Candidates.tsx',
      'src/engine/kinds/list/ImportAndOrder.tsx',
      'src/engine/kinds/list/ImportDialog.tsx',
      'src/engine/kinds/list/Reorder.tsx',
      'src/engine/kinds/views/ViewTag.tsx',
      'src/engine/kinds/views/ViewsDialog.tsx',
      'src/engine/kinds/answers/Answers.tsx',
    ],
  },
  why: { after: ['inside', 'soon', 'record'], files: ['src/engine/form/widgets/WhyPanel.tsx'] },
  paper: { after: ['inside', 'soon'], files: ['src/engine/kinds/paper/Paper.tsx'] },
  compare: { after: ['inside', 'soon', 'record'], files: ['src/engine/kinds/compare/Compare.tsx'] },
  markdown: { after: ['inside', 'soon'], files: ['src/engine/form/widgets/Markdown.tsx'] },
  patterns: { after: ['inside', 'soon'], files: ['src/contract/patterns.ts'] },
  signature: {
    after: ['inside', 'soon'],
    files: ['src/engine/form/widgets/SignaturePad.tsx', 'src/engine/form/widgets/StoredPicture.tsx'],
  },
  grid: { after: ['inside', 'soon', 'lists'], files: ['src/engine/kinds/list/Grid.tsx'] },
  constructor: {
    after: ['inside', 'soon', 'record', 'patterns'],
    files: [
      'src/constructor/Constructor.tsx',
      'src/constructor/publish/PublishDialog.tsx',
      'src/constructor/publish/HistoryDialog.tsx',
      'src/constructor/words/InWordsDialog.tsx',
      'src/constructor/settings/OptionsTable.tsx',
      'src/constructor/settings/WeightsTable.tsx',
      'src/constructor/words/OnPaperDialog.tsx',
      'src/constructor/publish/importFile.ts',
    ],
  },
  automations: {
    after: ['inside', 'soon', 'record', 'patterns', 'constructor'],
    files: ['src/constructor/automations/AutomationPanes.tsx'],
  },
  constructorTools: {
    after: ['inside', 'soon', 'record', 'patterns', 'constructor'],
    files: ['src/constructor/replace/ReplaceDialog.tsx', 'src/constructor/copy/CopyFieldsDialog.tsx'],
  },
  // Small pages for people who are not signed in.
  front: {
    after: ['inside', 'soon'],
    files: [
      'src/app/signIn/Setup.tsx',
      'src/app/signIn/LoginReset.tsx',
      'src/app/signIn/ResetPassword.tsx',
      'src/app/signIn/SignOn.tsx',
      'src/app/signIn/SignOnWays.tsx',
      'src/app/signIn/SecondStep.tsx',
      'src/app/signIn/Authenticator.tsx',
      'src/app/ReferralStatus.tsx',
    ],
  },
  passkey: { after: ['inside', 'soon'], files: ['src/app/signIn/askAuthenticator.ts'] },
  publicForm: { after: ['inside', 'soon'], files: ['src/engine/kinds/public/PublicForm.tsx'] },
  development: {
    after: ['inside', 'soon', 'record'],
    files: ['src/app/develop.tsx', 'src/engine/preview/Preview.tsx'],
  },
}

/** Groups that the server lets the browser preload with the page if its address needs them. */
export const PRELOADED = ['inside', 'record', 'lists']

const groupOf = new Map(
  Object.entries(GROUPS).flatMap(([name, { files }]) => files.map((file) => [file, name])),
)
const idOf = (file) => path.basename(file, path.extname(file))

/** Rewrites each `import('./A.tsx')` in a source text as the import of the group that A belongs to. */
export function withGroupedImports(text, importer) {
  return text.replace(/\bimport\('(\.[^']+)'\)/g, (_, specifier) => {
    const file = path.relative('.', path.resolve(path.dirname(importer), specifier)).replaceAll('\\', '/')
    const group = groupOf.get(file)
    if (!group) throw new Error(`${file} is loaded later, but no group of src/build/groups.mjs has it`)
    return `import('group:${group}').then(({ ${idOf(file)} }) => ${idOf(file)})`
  })
}

function moduleOf(name) {
  const { after, files } = GROUPS[name]
  const before = [START, ...after.flatMap((other) => GROUPS[other].files)]
  return [
    ...before.map((file) => `import './${file}'`),
    ...files.map((file) => `export * as ${idOf(file)} from './${file}'`),
  ].join('\n')
}

/**
 * esbuild plugin that makes each group an entry point. esbuild splits by which entry points reach a module: with one
 * for each lazily loaded file, half of its output are tiny files that some combination of them shares.
 */
export const groups = {
  name: 'groups',
  setup(build) {
    build.onResolve({ filter: /^group:/ }, ({ path: name }) => ({ path: name.slice(6), namespace: 'group' }))
    build.onLoad({ filter: /.*/, namespace: 'group' }, ({ path: name }) => ({
      contents: moduleOf(name),
      resolveDir: process.cwd(),
    }))
  },
}
