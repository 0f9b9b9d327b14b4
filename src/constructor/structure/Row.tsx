import { Button, Checkbox, Icon, Switch } from '@blueprintjs/core'
import type { ReactElement, ReactNode } from 'react'
import { FIELD_TYPES } from '../../contract/fieldTypes.ts'
import type { Field, Group } from '../../contract/generated.ts'
import { CommentMark } from '../comments/CommentMark.tsx'
import type { Address, Item } from '../state/address.ts'
import { setAttrs } from '../state/edit.ts'
import type { TreeActions } from './TreeGroup.tsx'

interface Props {
  item: Item
  address: Address
  isChosen: boolean
  /** Defined in multiple selection, where a checkbox replaces the switch. */
  isTicked?: boolean
  /** Number of validation errors of this item. */
  errors: number
  /** An item around it is switched off. */
  isOff?: boolean
  /** 'away' while it is dragged; otherwise where the dragged item would be dropped: before, after or inside it. */
  drag?: 'away' | 'before' | 'after' | 'inside'
  treeActions: TreeActions
  /** Its position in a list of which only a part is rendered. */
  place?: { at: number; of: number }
  /** Defined only for rows that can be folded. */
  isOpen?: boolean
  onToggle?: () => void
  children?: ReactNode
}

/** Row of a group, field or column in the tree: its switch, its name with facts about it, and its move buttons. */
export function Row(props: Props): ReactElement {
  const { item, address, isChosen, isTicked, errors, drag, isOff, treeActions, place } = props
  const { isOpen, onToggle, children } = props
  const { select, edit, announce, move, tick } = treeActions
  const { label, attrs } = item
  const isOn = attrs?.is_on !== false
  const name = label.trim() || item.name
  const turn = () => {
    edit((groups) => setAttrs(groups, address, { is_on: !isOn }), {
      what: isOn ? 'Switched off' : 'Switched on',
      at: address,
    })
    announce(`${name} is switched ${isOn ? 'off' : 'on'}`)
  }
  return (
    <li data-address={address.join('.')} aria-posinset={place?.at} aria-setsize={place?.of}>
      <div
        className="constructor-row"
        draggable={isTicked === undefined}
        data-drag={drag}
        data-group={address.length === 1 || undefined}
        data-chosen={isChosen || isTicked || undefined}
        data-off={!isOn || isOff || undefined}
      >
        {isTicked === undefined ? (
          <Switch
            checked={isOn}
            data-does="switch"
            labelElement={<span className="visually-hidden">{name} is in use</span>}
            onChange={turn}
          />
        ) : (
          <Checkbox
            checked={isTicked}
            data-does="tick"
            labelElement={<span className="visually-hidden">Choose {name}</span>}
            onChange={({ nativeEvent }) => tick(address, (nativeEvent as PointerEvent).shiftKey)}
          />
        )}
        <button
          type="button"
          className="constructor-name"
          data-row=""
          data-does="choose"
          aria-current={isChosen ? 'true' : undefined}
          onClick={({ shiftKey }) => (isTicked === undefined ? select({ address }) : tick(address, shiftKey))}
        >
          <span className="constructor-title">{name}</span>
          <RowFacts item={item} errors={errors} />
          <CommentMark address={address} />
        </button>
        {isChosen && <MoveButtons name={name} onMove={(by) => move(address, by)} />}
        {onToggle && (
          <Button
            variant="minimal"
            size="small"
            icon={<Icon icon={isOpen ? 'chevron-down' : 'chevron-right'} />}
            aria-label={`Fields of ${name}`}
            aria-expanded={isOpen}
            onClick={onToggle}
          />
        )}
      </div>
      {children}
    </li>
  )
}

function MoveButtons({ name, onMove }: { name: string; onMove: (by: -1 | 1) => void }) {
  return (
    <>
      <Button
        data-does="up"
        variant="minimal"
        size="small"
        icon="arrow-up"
        aria-label={`Move ${name} up`}
        onClick={() => onMove(-1)}
      />
      <Button
        data-does="down"
        variant="minimal"
        size="small"
        icon="arrow-down"
        aria-label={`Move ${name} down`}
        onClick={() => onMove(1)}
      />
    </>
  )
}

/** Facts about a group or field, in a few words under its name in the tree. */
function RowFacts({ item, errors }: { item: Item; errors: number }): ReactElement {
  const { is_on, calc, hidden, when, required, required_when } = (item as Field).attrs ?? {}
  const facts = [
    'type' in item && FIELD_TYPES[item.type].title,
    !('type' in item) && `${item.fields.length} ${item.fields.length === 1 ? 'field' : 'fields'}`,
    required && 'required',
    required_when && 'sometimes required',
    calc && 'calculated',
    hidden && 'hidden',
    when && 'conditional',
    (item as Group).attrs?.under && 'under a group',
    is_on === false && 'off',
  ].filter(Boolean)
  return (
    <span className="constructor-facts">
      {facts.join(' · ')}
      {errors > 0 && (
        <strong>
          {facts.length > 0 && ' · '}
          {errors} {errors === 1 ? 'problem' : 'problems'}
        </strong>
      )}
    </span>
  )
}
