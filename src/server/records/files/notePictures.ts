import { sql } from 'kysely'
import { isQuestion } from '../../../contract/fieldTypes.ts'
import type { Group } from '../../../contract/generated.ts'
import { placesOf } from '../../../contract/meta/places.ts'
import { picturesIn } from '../../../contract/notePictures.ts'
import { quoted } from '../../../contract/quoted.ts'
import type { FieldErrors } from '../../../contract/validateAnswers.ts'
import { DRAFT_PICTURE, PUBLISHED_PICTURE } from '../../access/fileScope.ts'
import type { Call } from '../../core/call.ts'
import { refuse } from '../../core/problems.ts'

interface Forms {
  case_meta: Group[]
  issue_meta: Group[]
}

/** Errors, by dotted path, of notes with pictures that no case type or draft of this installation has. */
export async function missingPictures({ db }: Call, forms: Forms): Promise<FieldErrors> {
  const named = picturesOf(forms)
  if (named.length === 0) return {}
  const { rows } = await sql<{ id: number }>`select id from files
    where id = any(${named.map(({ file }) => file)}::int[])
      and entity in (${PUBLISHED_PICTURE}, ${DRAFT_PICTURE})`.execute(db)
  const here = new Set(rows.map(({ id }) => id))
  const missing = named.filter(({ file }) => !here.has(file))
  return Object.fromEntries(
    missing.map(({ path, label, alt }) => [
      path,
      [`The picture ${quoted(alt)} of ${quoted(label)} is not here; upload it again or remove it`],
    ]),
  )
}

/** Makes the pictures of a published case type visible to all staff; throws if any is missing. */
export async function publishPictures(call: Call, id: number, forms: Forms): Promise<void> {
  refuse(await missingPictures(call, forms))
  const files = picturesOf(forms).map(({ file }) => file)
  if (files.length === 0) return
  await sql`update files set entity = ${PUBLISHED_PICTURE}, record = ${id}
    where id = any(${files}::int[]) and entity = ${DRAFT_PICTURE}`.execute(call.db)
}

function picturesOf(forms: Forms) {
  return (['case_meta', 'issue_meta'] as const).flatMap((meta) =>
    placesOf(forms[meta]).flatMap(({ field, path }) =>
      isQuestion(field)
        ? []
        : picturesIn(field.attrs?.text).flatMap(({ alt, file }) =>
            file === undefined
              ? []
              : { path: [meta, ...path, 'attrs', 'text'].join('.'), label: field.label, alt, file },
          ),
    ),
  )
}
