import type { Handler } from '../core/call.ts'
import * as auth from './account/auth.ts'
import * as passkeys from './account/passkeys.ts'
import * as passwords from './account/passwords.ts'
import * as secondFactor from './account/secondFactor.ts'
import * as sessions from './account/sessions.ts'
import * as signOn from './account/signOn.ts'
import * as signOnLinks from './account/signOnLinks.ts'
import * as addresses from './addresses/handlers.ts'
import * as axes from './admin/axes.ts'
import * as admin from './admin/handlers.ts'
import * as answersSeen from './answersSeen/handlers.ts'
import * as automations from './automations/handlers.ts'
import * as automationImpact from './automations/impact.ts'
import * as impactRecords from './automations/impactRecords.ts'
import * as bulkCorrections from './bulk/bulkCorrections.ts'
import * as bulk from './bulk/handlers.ts'
import * as chronology from './cases/chronology.ts'
import * as cases from './cases/handlers.ts'
import * as validation from './cases/validation.ts'
import * as worklist from './cases/worklist.ts'
import * as answerMigrations from './caseTypes/answerMigrations.ts'
import * as caseTypeDrafts from './caseTypes/caseTypeDrafts.ts'
import * as caseTypePictures from './caseTypes/caseTypePictures.ts'
import * as caseTypeStatus from './caseTypes/caseTypeStatus.ts'
import * as caseTypeVersions from './caseTypes/caseTypeVersions.ts'
import * as caseTypes from './caseTypes/handlers.ts'
import * as clients from './clients/handlers.ts'
import * as purgeCounts from './clients/purgeCounts.ts'
import * as deadlines from './deadlines/handlers.ts'
import * as drafts from './drafts/handlers.ts'
import * as actions from './entries/actions.ts'
import * as activities from './entries/activities.ts'
import * as documents from './entries/documents.ts'
import * as entries from './entries/handlers.ts'
import * as tasks from './entries/tasks.ts'
import * as fieldComments from './fields/fieldComments.ts'
import * as fields from './fields/handlers.ts'
import * as files from './files/handlers.ts'
import * as health from './health/handlers.ts'
import * as hiddenAnswers from './hiddenAnswers/handlers.ts'
import * as closing from './issues/closing.ts'
import * as issues from './issues/handlers.ts'
import * as clientQuestions from './likeness/clientQuestions.ts'
import * as likeness from './likeness/handlers.ts'
import * as merges from './merges/handlers.ts'
import * as referrals from './referrals/handlers.ts'
import * as publicReferrals from './referrals/publicReferrals.ts'
import * as referralForms from './referrals/referralForms.ts'
import * as referralMessages from './referrals/referralMessages.ts'
import * as sentReferrals from './referrals/sentReferrals.ts'
import * as register from './register/handlers.ts'
import * as reports from './reports/handlers.ts'
import * as teamNeeds from './reports/teamNeeds.ts'
import * as search from './search/handlers.ts'
import * as recent from './search/recent.ts'
import * as savedViews from './search/savedViews.ts'
import * as staff from './staff/handlers.ts'
import * as workNotices from './staff/workNotices.ts'
import * as versionEvents from './versionEvents/handlers.ts'
import * as viewers from './viewers/handlers.ts'

const FILES: Record<string, Record<string, Handler>> = {
  actions,
  activities,
  addresses,
  admin,
  answerMigrations,
  answersSeen,
  auth,
  automationImpact,
  automations,
  axes,
  bulk,
  bulkCorrections,
  cases,
  caseTypeDrafts,
  caseTypePictures,
  caseTypeStatus,
  caseTypes,
  caseTypeVersions,
  chronology,
  clientQuestions,
  clients,
  deadlines,
  documents,
  closing,
  drafts,
  entries,
  fieldComments,
  fields,
  files,
  health,
  hiddenAnswers,
  impactRecords,
  issues,
  likeness,
  merges,
  passkeys,
  passwords,
  publicReferrals,
  purgeCounts,
  recent,
  referralForms,
  referralMessages,
  referrals,
  register,
  reports,
  savedViews,
  sentReferrals,
  search,
  secondFactor,
  sessions,
  signOn,
  signOnLinks,
  staff,
  tasks,
  teamNeeds,
  validation,
  versionEvents,
  viewers,
  worklist,
  workNotices,
}

/** Named operations by the `does` of their descriptors: file, dot, function. */
export const HANDLERS: Record<string, Handler> = Object.fromEntries(
  Object.entries(FILES).flatMap(([file, functions]) =>
    Object.entries(functions).map(([name, handler]) => [`${file}.${name}`, handler]),
  ),
)
