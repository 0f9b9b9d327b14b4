import { useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'
import { allows } from '../../../contract/access.ts'
import { parametersOf } from '../../../contract/call.ts'
import type { Contract } from '../../../contract/contract.ts'
import { factsOf } from '../../../contract/facts.ts'
import { countsSeconds } from '../../../contract/fieldTypes.ts'
import type {
  Column,
  Facts,
  ListScreen,
  Measure,
  Parameter,
  ReportScreen,
} from '../../../contract/generated.ts'
import { isValidFilterValue } from '../../../contract/listFilters.ts'
import { reportAsList } from '../../../contract/reportScreen.ts'
import { useContract } from '../../core/contract.ts'
import { useUser } from '../../core/user.ts'
import List from '../list/List.tsx'
import type { ListProps } from '../list/useList.ts'

/** The chosen dimensions and measures of a report. */
interface Chosen {
  by: string
  and?: string
  measures: string[]
}
/** A report screen with its facts and the parameters of its call. */
interface Described {
  contract: Contract
  screen: ReportScreen
  facts: Facts
  parameters: Record<string, Parameter>
}

/** A report: a list whose columns depend on the URL, and whose numbers link to the rows that they count. */
export default function Report({ screen, name }: { screen: ReportScreen; name: string }) {
  const contract = useContract()
  const { groups } = useUser()
  const [search] = useSearchParams()
  const text = search.toString()
  const { list, fixed } = useMemo(() => {
    const parameters = parametersOf(contract, contract.endpoints[screen.source])
    const described = { contract, screen, facts: factsOf(contract, screen.source)!, parameters }
    const address = new URLSearchParams(text)
    const chosen = chosenIn(described, address)
    const rows = screen.rows === undefined ? undefined : contract.screens[screen.rows]
    const links =
      rows && allows(contract.roles, rows.roles, groups) ? rowsLinks(described, chosen, address) : undefined
    return { list: listOf(described, chosen, links), fixed: queryOf(described, chosen) }
  }, [contract, screen, groups, text])
  return <List screen={list} name={name} fixed={fixed} isFilterOpen />
}

/** The dimensions and measures in the URL, if the screen offers the choice; otherwise those of the screen. */
function chosenIn({ contract, screen, parameters }: Described, address: URLSearchParams): Chosen {
  const offered = screen.filters ?? Object.keys(parameters)
  const parameterOf = (name: string) => {
    const value = offered.includes(name) ? (address.get(name) ?? screen.defaults?.[name]) : undefined
    return value !== undefined && parameters[name] && isValidFilterValue(parameters[name], value)
      ? value
      : undefined
  }
  const by = parameterOf('by') ?? screen.by[0]
  const chosenAnd = parameterOf('and')
  const and = address.has('and') || screen.by[1] === by ? chosenAnd : (chosenAnd ?? screen.by[1])
  const known = Object.keys(factsOf(contract, screen.source)!.measures)
  const measures =
    parameterOf('measures')
      ?.split(',')
      .filter((name) => known.includes(name)) ?? screen.measures
  return { by, ...(and !== undefined && and !== by && { and }), measures }
}

function queryOf({ parameters }: Described, { by, and, measures }: Chosen): ListProps['fixed'] {
  return { by, and, measures: parameters.measures && measures.join() }
}

/** The list of a report: a column for each chosen dimension and measure; its filters default to those of the screen. */
function listOf(
  { contract, screen, facts, parameters }: Described,
  chosen: Chosen,
  links: Pick<Column, 'link' | 'totalLink'> = {},
): ListScreen {
  const { by, and, measures } = chosen
  const list = reportAsList(contract, screen)
  const columns = list.columns as Column[]
  const titleOf = (name: string) => parameters.by.options?.find(({ value }) => value === name)?.label
  const numbers = measures.map((field): Column => {
    const isTime = countsSeconds(
      contract.entities[contract.endpoints[screen.source].reply!].properties[field].fieldType,
    )
    const linked = Object.entries(links).map(([key, link]) => [
      key,
      link + whereOf(facts.measures[field], key === 'link' ? chosen : {}),
    ])
    return {
      field,
      as: isTime ? 'hours' : 'number',
      sort: columns[0].sort,
      ...Object.fromEntries(linked),
    }
  })
  const [label, andLabel] = columns
  const cellOf = (name: string) => facts.dimensions[name].each === 'month' && { as: 'date' as const }
  return {
    ...list,
    columns: [
      { ...label, ...cellOf(by), title: titleOf(by) },
      ...(and === undefined ? [] : [{ ...andLabel, ...cellOf(and), title: titleOf(and) }]),
      ...numbers,
    ],
    defaults: {
      ...list.defaults,
      by: screen.by[0],
      ...(screen.by[1] && { and: screen.by[1] }),
      measures: screen.measures.join(),
    },
    figure: figureOf(facts, chosen),
  }
}

/** The figure: lines over the parts of a period, otherwise bars; none if the numbers of its series do not add up. */
function figureOf(
  { dimensions, measures: known }: Facts,
  { by, and, measures }: Chosen,
): ListScreen['figure'] {
  const [first] = measures
  const { average, distinct } = known[first]
  if (and !== undefined && (average || distinct)) return undefined
  return {
    as: dimensions[by].each ? 'line' : 'bars',
    of: 'label',
    values: [first],
    ...(and !== undefined && { series: 'and_label' }),
    ...(average && { share: false }),
  }
}

/** The addresses of the rows that a number counts, and of those that a total counts, with the applied filters. */
function rowsLinks(
  { contract, screen, parameters }: Described,
  { by, and }: Chosen,
  address: URLSearchParams,
): Required<Pick<Column, 'link' | 'totalLink'>> {
  const { route } = contract.screens[screen.rows!]
  const applied = Object.entries(parameters).flatMap(([name, { match, column = name }]) => {
    if (screen.filters && !screen.filters.includes(name)) return []
    const isSet = (address.get(name) ?? screen.defaults?.[name] ?? '') !== ''
    return match && isSet ? [{ column, text: `${column}={${name}}` }] : []
  })
  const line = [
    { column: by, text: `${by}={by_value}` },
    ...(and === undefined ? [] : [{ column: and, text: `${and}={and_value}` }]),
  ]
  const addressOf = (tests: typeof line) =>
    `${route}?${[...tests.map(({ text }) => text), 'start={start}', 'end={end}'].join('&')}`
  return {
    // If a filter and the line are by the same field, the line's value is narrower.
    link: addressOf([...line, ...applied.filter(({ column }) => column !== by && column !== and)]),
    totalLink: addressOf(applied),
  }
}

/** The parameters that limit a link to the rows of a measure with a condition. */
function whereOf({ where = {} }: Measure, { by, and }: Partial<Chosen>): string {
  const tests = Object.entries(where).filter(([name]) => name !== by && name !== and)
  return tests.map(([name, value]) => `&${name}=${value}`).join('')
}
