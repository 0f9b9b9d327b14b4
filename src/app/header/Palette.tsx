import { type ComponentProps, useMemo } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { useContract } from '../../engine/core/contract.ts'
import { useUser } from '../../engine/core/user.ts'
import { showUnasked, useUnaskedShown } from '../../engine/form/store/unasked.ts'
import Typeahead, { type Choice, LISTED } from '../../engine/form/widgets/Typeahead.tsx'
import { type Command, commandsOf, run } from '../core/commands.ts'
import { MESSAGES } from '../core/messages.ts'
import { useRecentList } from './recentRecords.ts'

interface Props extends Pick<ComponentProps<typeof Typeahead>, 'id' | 'input' | 'onText' | 'onEscape'> {
  term: string
  /** Records that match the term. */
  found: Choice[]
  status: string | undefined
  isSearching: boolean
}

/** The combobox of the quick search, which also lists recent records and the screens and actions that roles allow. */
export default function Palette({ id, term, found, status, isSearching, input, onText, onEscape }: Props) {
  const contract = useContract()
  const { groups } = useUser()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const commands = useMemo(() => commandsOf(contract, groups), [contract, groups])
  const recent = useRecentList()
  const words = wordsOf(term)
  const isUnaskedShown = useUnaskedShown()
  const unasked = {
    label: isUnaskedShown ? MESSAGES.hideUnasked : MESSAGES.showUnasked,
    does: () => showUnasked(!isUnaskedShown),
  }
  const offered = [
    ...recent
      .filter(({ label, to }) => !`${pathname}/`.startsWith(`${to}/`) && matches(label, words))
      .map(choiceOfRecent),
    ...[...commands, unasked].filter(({ label }) => matches(label, words)).map(choiceOfCommand),
  ]
  const others = [...found, ...offered]
  const choose = ({ value }: Choice) => {
    onText('')
    run(value as Command, navigate)
  }
  return (
    <Typeahead
      id={id}
      label="Clients, records and commands"
      text={term}
      choices={[...others.slice(0, LISTED - 1), ...(isSearching ? [] : [ADVANCED_SEARCH])]}
      status={() => status ?? (words.length === 0 ? 'Type a name, a number or what to do' : undefined)}
      isStale={isSearching}
      takesFirst={words.length === 0 ? 'typed' : others.length > 0 ? 'always' : undefined}
      popup="quick-results"
      input={input}
      onText={onText}
      onChoose={choose}
      onEscape={onEscape}
    />
  )
}

/**
 * The last entry of the list, also if nothing is found. It is hidden while a search runs, so that an arrow key selects
 * the first result.
 */
const ADVANCED_SEARCH: Choice = {
  value: { to: '/search' },
  label: MESSAGES.advancedSearch,
  isLink: true,
}

const choiceOfRecent = (one: { to: string; label: string }): Choice => ({
  value: one,
  label: one.label,
  group: 'Recent',
  stays: true,
})

const choiceOfCommand = (command: Command): Choice => ({
  value: command,
  label: command.label,
  about: command.keys?.replace(' ', ' then '),
  group: command.to ? 'Go to' : 'Actions',
  stays: true,
})

const wordsOf = (text: string) => text.toLowerCase().split(/\s+/).filter(Boolean)

/** True if each search word is a prefix of a word of the label, in any order. */
function matches(label: string, words: string[]): boolean {
  const parts = wordsOf(label.replaceAll(/[:,–-]/g, ' '))
  return words.every((word) => parts.some((part) => part.startsWith(word)))
}
