import type { Handler } from '../call.ts'
import * as actions from './actions.ts'
import * as activities from './activities.ts'
import * as addresses from './addresses.ts'
import * as admin from './admin.ts'
import * as auth from './auth.ts'
import * as axes from './axes.ts'
import * as bulk from './bulk.ts'
import * as cases from './cases.ts'
import * as caseTypeDrafts from './caseTypeDrafts.ts'
import * as caseTypePictures from './caseTypePictures.ts'
import * as caseTypeStatus from './caseTypeStatus.ts'
import * as caseTypes from './caseTypes.ts'
import * as caseTypeVersions from './caseTypeVersions.ts'
import * as chronology from './chronology.ts'
import * as clients from './clients.ts'
import * as closing from './closing.ts'
import * as documents from './documents.ts'
import * as entries from './entries.ts'
import * as files from './files.ts'
import * as health from './health.ts'
import * as hiddenAnswers from './hiddenAnswers.ts'
import * as issues from './issues.ts'
import * as passwords from './passwords.ts'
import * as publicReferrals from './publicReferrals.ts'
import * as purgeCounts from './purgeCounts.ts'
import * as recent from './recent.ts'
import * as referralForms from './referralForms.ts'
import * as referralMessages from './referralMessages.ts'
import * as referrals from './referrals.ts'
import * as reports from './reports.ts'
import * as savedViews from './savedViews.ts'
import * as search from './search.ts'
import * as sessions from './sessions.ts'
import * as staff from './staff.ts'
import * as tasks from './tasks.ts'
import * as validation from './validation.ts'
import * as versionEvents from './versionEvents.ts'
import * as worklist from './worklist.ts'
import * as workNotices from './workNotices.ts'

const FILES: Record<string, Record<string, Handler>> = {
  actions,
  activities,
  addresses,
  admin,
  auth,
  axes,
  bulk,
  cases,
  caseTypeDrafts,
  caseTypePictures,
  caseTypeStatus,
  caseTypes,
  caseTypeVersions,
  chronology,
  clients,
  documents,
  closing,
  entries,
  files,
  health,
  hiddenAnswers,
  issues,
  passwords,
  publicReferrals,
  purgeCounts,
  recent,
  referralForms,
  referralMessages,
  referrals,
  reports,
  savedViews,
  search,
  sessions,
  staff,
  tasks,
  validation,
  versionEvents,
  worklist,
  workNotices,
}

/** Named operations by the `does` of their descriptors: file, dot, function. */
export const HANDLERS: Record<string, Handler> = Object.fromEntries(
  Object.entries(FILES).flatMap(([file, functions]) =>
    Object.entries(functions).map(([name, handler]) => [`${file}.${name}`, handler]),
  ),
)
