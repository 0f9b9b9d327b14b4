import type { Contract } from '../../contract/contract.ts'
import type { Body, Entity } from '../../contract/generated.ts'
import type { BodyValues, EntityInputs, EntityRows } from '../../contract/types/entities.ts'
import type { Values } from '../../contract/when.ts'
import type { Row } from './db.ts'

/** A contract whose entities and bodies have their names in their types; `$body` exists in the type only. */
export interface TypedContract extends Contract {
  entities: Contract['entities'] & { [N in keyof EntityRows]: Entity & { $id: N } }
  bodies: Contract['bodies'] & { [N in keyof BodyValues]: Body & { $body?: N } }
}

/** The row of an entity; of one whose name is known only at run time, a row with columns of any type. */
export type RowOf<E extends Entity> = E extends { $id: infer N extends keyof EntityRows }
  ? EntityRows[N]
  : Row

/** The reply of one record, in which those of EMBEDDED (records/verbs/read.ts) have records instead of ids. */
export type ReplyOf<E extends Entity> = E extends { $id: 'case' } ? Row : RowOf<E>

/** The values of a body, or of a new record of an entity. */
export type ValuesOf<S> = S extends { $body?: infer N extends keyof BodyValues }
  ? BodyValues[N]
  : S extends { $id: infer N extends keyof EntityInputs }
    ? EntityInputs[N]
    : Values
