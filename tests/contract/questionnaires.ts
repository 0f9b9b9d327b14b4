import type { ChooseRow, Field, Group } from '../../src/contract/generated.ts'
import type { Values } from '../../src/contract/when.ts'
import { choice, field, group, repeat, visibleWhen, yesno } from './metaBuilders.ts'

/** A questionnaire of the kind that services use, and what must follow from some answers to it. */
export interface Questionnaire {
  name: string
  groups: Group[]
  /** Answers of the last record before this one. */
  last?: Values
  cases: {
    given: Values
    /** Values of calculated fields; undefined: none. */
    calculated?: Values
    hidden?: string[]
    visible?: string[]
    /** Invalid answers; missing ones are left out. */
    errors?: Record<string, string>
  }[]
}

const weighted = (name: string, labels: string[], attrs: Field['attrs'] = {}): Field => ({
  ...field(name, 'select', attrs),
  attrs: { ...attrs, options: labels.map((label, weight) => ({ value: `v${weight}`, label, weight })) },
})
const HOW_OFTEN = ['Not at all', 'Several days', 'More than half the days', 'Nearly every day']
const bands = (of: string, ...limits: [number, string][]): ChooseRow[] => [
  ...limits.map(([max, words], i) => ({
    when: { [of]: { ...(i > 0 && { min: limits[i - 1][0] + 1 }), max } },
    then: { text: words },
  })),
  {},
]
const chosen = (name: string, choose: ChooseRow[], attrs: Field['attrs'] = {}): Field =>
  field(name, 'text', { calc: 'choose', choose, ...attrs })
const total = (name: string, calc: 'score' | 'sum', of: string[]): Field =>
  field(name, 'integer', { calc, of })

const NINE = Array.from({ length: 9 }, (_, i) => `q${i + 1}`)
const mood: Questionnaire = {
  name: 'a score of nine questions with bands, and a question about harm',
  groups: [
    group(
      'scores',
      NINE.map((name) => weighted(name, HOW_OFTEN, { required: true })),
      { layout: 'matrix' },
    ),
    group('result', [
      total('total', 'score', NINE),
      field('answered', 'integer', { calc: 'count', of: NINE }),
      chosen('severity', [
        { when: { answered: { max: 8 } }, then: { text: 'Not complete' } },
        ...bands(
          'total',
          [4, 'None'],
          [9, 'Mild'],
          [14, 'Moderate'],
          [19, 'Moderately severe'],
          [27, 'Severe'],
        ),
      ]),
      visibleWhen('harm_plan', { q9: { not: 'v0', set: true } }, { required: true }),
      field('change', 'integer', { calc: 'subtract', of: ['total', '$last.total'] }),
      visibleWhen('why_worse', { change: { min: 5 } }, { help: 'Last time: {$last.severity}' }),
    ]),
  ],
  last: { total: 6, severity: 'Mild' },
  cases: [
    {
      given: Object.fromEntries(NINE.map((name) => [name, 'v1'])),
      calculated: { total: 9, severity: 'Mild', change: 3 },
      visible: ['harm_plan'],
      hidden: ['why_worse'],
    },
    {
      given: { ...Object.fromEntries(NINE.map((name) => [name, 'v2'])), q9: 'v0' },
      calculated: { total: 16, severity: 'Moderately severe', change: 10 },
      hidden: ['harm_plan'],
      visible: ['why_worse'],
    },
    { given: { q1: 'v3' }, calculated: { severity: 'Not complete' }, hidden: ['harm_plan'] },
  ],
}

const LEVELS = ['Very low', 'Low', 'Medium', 'High', 'Very high']
const RISKS = ['falls', 'fire', 'money']
const risk: Questionnaire = {
  name: 'a risk matrix of likelihood and impact',
  groups: RISKS.map((name, i) =>
    group(
      name,
      [
        field(`${name}_likelihood`, 'scale', {
          min: 1,
          max: 5,
          min_text: 'Rare',
          max_text: 'Certain',
          required: true,
        }),
        field(`${name}_impact`, 'scale', { min: 1, max: 5, required: true }),
        field(`${name}_risk`, 'integer', { calc: 'multiply', of: [`${name}_likelihood`, `${name}_impact`] }),
        chosen(`${name}_level`, [
          { when: { [`${name}_risk`]: { min: 20 } }, then: { text: LEVELS[4] } },
          { when: { [`${name}_risk`]: { min: 12 } }, then: { text: LEVELS[3] } },
          { when: { [`${name}_risk`]: { min: 5 } }, then: { text: LEVELS[2] } },
          { when: { [`${name}_risk`]: { set: true } }, then: { text: LEVELS[1] } },
          {},
        ]),
        field(`${name}_plan`, 'textarea', {
          required_when: { [`${name}_level`]: [LEVELS[3], LEVELS[4]] },
          max_words: 200,
        }),
      ],
      i > 0 ? { folded: true } : {},
    ),
  ).concat(
    group('all', [
      field('worst', 'integer', { calc: 'max', of: RISKS.map((name) => `${name}_risk`) }),
      visibleWhen(
        'manager_told',
        { any: RISKS.map((name) => ({ [`${name}_level`]: LEVELS[4] })) },
        { required: true },
      ),
    ]),
  ),
  cases: [
    {
      given: { falls_likelihood: 5, falls_impact: 4, fire_likelihood: 1, fire_impact: 3 },
      calculated: {
        falls_risk: 20,
        falls_level: LEVELS[4],
        fire_level: LEVELS[1],
        money_level: undefined,
        worst: 20,
      },
      visible: ['manager_told'],
    },
    {
      given: { falls_likelihood: 3, falls_impact: 4, money_likelihood: 9 },
      calculated: { falls_level: LEVELS[3], worst: 12 },
      hidden: ['manager_told'],
      errors: { money_likelihood: 'must be a number from 1 (Rare) to 5 (Certain)' },
    },
  ],
}

const medication: Questionnaire = {
  name: 'medication in rows, with rows inside of them',
  groups: [
    group('medication', [
      yesno('takes_any', { known_only: true, required: true }),
      repeat(
        'medicines',
        [
          field('name', 'text', { required: true, max_length: 80 }),
          field('dose', 'decimal', { places: 3, unit: 'mg', min: 0 }),
          choice('route', ['oral', 'injection', 'other']),
          visibleWhen('which_route', { route: 'other' }, { required: true }),
          field('from', 'date', { required: true, rules: ['not_future'] }),
          field('until', 'date', { rules: ['after:from'] }),
          yesno('is_running', { known_only: true }),
          field('times', 'integer', { min: 1, max: 12 }),
          field('daily', 'decimal', { places: 3, unit: 'mg', calc: 'multiply', of: ['dose', 'times'] }),
          repeat(
            'reactions',
            [field('what', 'text', { required: true }), choice('grade', ['mild', 'severe'])],
            {
              max: 5,
            },
          ),
          field('severe', 'integer', {
            calc: 'count_rows',
            of: ['reactions'],
            rows_when: { grade: 'severe' },
          }),
        ],
        {
          when: { takes_any: 'yes' },
          min: 1,
          max: 20,
          row_label: 'Medicine',
          sort_by: 'from',
          sort_down: true,
        },
      ),
    ]),
    group('sums', [
      field('running', 'integer', {
        calc: 'count_rows',
        of: ['medicines'],
        rows_when: { is_running: 'yes' },
      }),
      field('all_daily', 'decimal', { places: 3, calc: 'sum', of: ['medicines.daily'] }),
      field('reactions_severe', 'integer', { calc: 'sum', of: ['medicines.severe'] }),
      chosen('review', [
        { when: { medicines: { any_row: { severe: { min: 1 } } } }, then: { text: 'Within a day' } },
        {
          when: { medicines: { count_rows: { is_running: 'yes' }, min: 2 } },
          then: { text: 'Within a week' },
        },
        { then: { text: 'Yearly' } },
      ]),
    ]),
  ],
  cases: [
    {
      given: {
        takes_any: 'yes',
        medicines: [
          {
            name: 'A',
            dose: '2.500',
            times: 2,
            from: '2026-01-01',
            is_running: 'yes',
            reactions: [{ what: 'Rash', grade: 'mild' }],
          },
          { name: 'B', dose: '0.125', times: 4, from: '2026-02-01', is_running: 'yes', until: '2026-01-01' },
        ],
      },
      calculated: { running: 2, all_daily: '5.500', reactions_severe: 0, review: 'Within a week' },
      errors: { 'medicines.1.until': 'must not be before' },
    },
    {
      given: {
        takes_any: 'yes',
        medicines: [{ name: 'A', from: '2026-01-01', reactions: [{ what: 'Fit', grade: 'severe' }] }],
      },
      calculated: { reactions_severe: 1, review: 'Within a day' },
    },
    { given: { takes_any: 'no' }, calculated: { review: 'Yearly' }, hidden: ['medicines'] },
  ],
}

const CAPACITY = ['understand', 'retain', 'weigh', 'communicate']
const capacity: Questionnaire = {
  name: 'an assessment of capacity, in which a conclusion follows from four tests',
  groups: [
    group('decision', [
      field('decision', 'text', { required: true, max_length: 200 }),
      field('about_decision', 'note', {
        text: 'The decision is: **{decision}**. Write {{name}} as it stands.',
      }),
      yesno('impairment', { required: true, known_only: true }),
    ]),
    group(
      'tests',
      CAPACITY.flatMap((name) => [
        { ...yesno(name, { required: true, known_only: true }), label: `Can {decision} be ${name}ed?` },
        field(`${name}_evidence`, 'textarea', { required_when: { [name]: 'no' } }),
      ]),
      { when: { impairment: 'yes' } },
    ),
    group('conclusion', [
      chosen('has_capacity', [
        { when: { impairment: 'no' }, then: { text: 'Yes' } },
        { when: { any: CAPACITY.map((name) => ({ [name]: 'no' })) }, then: { text: 'No' } },
        { when: Object.fromEntries(CAPACITY.map((name) => [name, 'yes'])), then: { text: 'Yes' } },
        {},
      ]),
      visibleWhen('best_interests', { has_capacity: 'No' }, { required: true }),
      field('assessed_on', 'date', { required: true, rules: ['not_future'] }),
      field('review_on', 'date', { calc: 'add_days', of: ['assessed_on', 90] }),
    ]),
  ],
  cases: [
    {
      given: { impairment: 'no' },
      calculated: { has_capacity: 'Yes' },
      hidden: ['understand', 'best_interests'],
    },
    {
      given: {
        decision: 'moved',
        impairment: 'yes',
        understand: 'yes',
        retain: 'no',
        assessed_on: '2026-01-01',
      },
      calculated: { has_capacity: 'No', review_on: '2026-04-01' },
      visible: ['best_interests', 'retain_evidence'],
    },
    {
      given: { impairment: 'yes', understand: 'yes', retain: 'yes', weigh: 'yes' },
      calculated: { has_capacity: undefined },
    },
  ],
}

const visits: Questionnaire = {
  name: 'as many visits as an answer says, each with conditions of its own',
  groups: [
    group('visits', [
      field('planned', 'integer', { min: 0, max: 6 }),
      repeat(
        'visits',
        [
          field('day', 'date', { required: true }),
          choice('how', ['home', 'video', 'missed'], { required: true }),
          visibleWhen('why_missed', { how: 'missed' }, { required: true }),
          field('minutes', 'integer', { when: { how: { not: 'missed' } }, min: 1 }),
          choice('mood', ['good', 'fair', 'poor'], { when: { how: { not: 'missed' } } }),
        ],
        { rows_from: 'planned', row_label: 'Visit', sort_by: 'day', max: 6 },
      ),
      field('made', 'integer', { calc: 'count_rows', of: ['visits'], rows_when: { how: ['home', 'video'] } }),
      field('missed', 'integer', { calc: 'subtract', of: ['planned', 'made'] }),
      field('minutes_all', 'integer', { calc: 'sum', of: ['visits.minutes'] }),
      field('first_visit', 'date', { calc: 'min', of: ['visits.day'] }),
      field('last_visit', 'date', { calc: 'max', of: ['visits.day'] }),
      field('span', 'integer', { calc: 'days_between', of: ['first_visit', 'last_visit'] }),
      visibleWhen('concern', { visits: { every_row: { mood: 'poor' } } }, { required: true }),
    ]),
  ],
  cases: [
    {
      given: {
        planned: 3,
        visits: [
          { day: '2026-01-10', how: 'home', minutes: 40, mood: 'poor' },
          { day: '2026-01-03', how: 'missed', why_missed: 'Ill', minutes: 10 },
          { day: '2026-02-03', how: 'video', minutes: 20, mood: 'good' },
        ],
      },
      calculated: {
        made: 2,
        missed: 1,
        minutes_all: 60,
        first_visit: '2026-01-03',
        last_visit: '2026-02-03',
        span: 31,
      },
      hidden: ['concern'],
    },
    {
      given: { planned: 1, visits: [{ day: '2026-01-10', how: 'home', mood: 'poor' }] },
      calculated: { made: 1, missed: 0 },
      visible: ['concern'],
    },
  ],
}

const addresses: Questionnaire = {
  name: 'a history of addresses without gaps',
  groups: [
    group('homes', [
      field('now', 'uk_address', { required: true }),
      field('since', 'date', { required: true, rules: ['not_future'] }),
      yesno('moved', { known_only: true, when: { since: { min: '2023-01-01' } }, required: true }),
      repeat(
        'before',
        [
          field('home', 'uk_address', { required: true }),
          field('from', 'date', { required: true }),
          field('to', 'date', { required: true, rules: ['after:from'] }),
          choice('why', ['work', 'family', 'eviction', 'other']),
          visibleWhen('why_other', { why: 'other' }, { required: true }),
          field('months', 'integer', { calc: 'months_between', of: ['from', 'to'] }),
        ],
        { when: { moved: 'yes' }, min: 1, max: 10, row_label: 'Address', sort_by: 'to', sort_down: true },
      ),
      field('months_before', 'integer', { calc: 'sum', of: ['before.months'] }),
      visibleWhen('eviction_help', { before: { any_row: { why: 'eviction' } } }, { required: true }),
      chosen('stability', bands('months_before', [6, 'Unsettled'], [36, 'Some moves'])),
    ]),
  ],
  cases: [
    {
      given: {
        since: '2024-05-01',
        moved: 'yes',
        before: [
          { from: '2023-01-31', to: '2023-02-28', why: 'eviction' },
          { from: '2021-01-01', to: '2023-01-01', why: 'work' },
        ],
      },
      calculated: { months_before: 25, stability: 'Some moves' },
      visible: ['eviction_help'],
    },
    {
      given: { since: '2020-01-01' },
      hidden: ['moved', 'before', 'eviction_help'],
      calculated: { stability: undefined },
    },
  ],
}

const languages: Questionnaire = {
  name: 'labels in several languages and scripts',
  groups: [
    {
      name: 'language',
      label: 'Language · Iaith · اللغة · 语言',
      fields: [
        {
          name: 'preferred',
          label: 'Preferred language / Dewis iaith / اللغة المفضلة',
          type: 'select',
          attrs: {
            required: true,
            options: [
              { value: 'en', label: 'English', hint: 'You can change this at any time' },
              { value: 'cy', label: 'Cymraeg — “Welsh”' },
              { value: 'ar', label: 'العربية' },
              { value: 'zh', label: '中文 (简体)' },
              { value: 'other', label: 'Other…' },
            ],
          },
        },
        {
          ...visibleWhen('which', { preferred: 'other' }, { required: true }),
          label: 'Which? / Pa un? / أي لغة؟',
        },
        { ...yesno('interpreter'), label: 'Interpreter for {preferred} needed?' },
        {
          name: 'needs',
          label: 'Needs & “adjustments” <b>not bold</b>',
          type: 'multiselect',
          attrs: {
            options: [
              { value: 1, label: 'Braille', weight: 2 },
              { value: 2, label: 'BSL / Iaith Arwyddion Prydain', weight: 3 },
              { value: 3, label: 'None · Dim', exclusive: true },
            ],
          },
        },
        field('need_points', 'integer', { calc: 'score', of: ['needs'] }),
        field('words', 'text', { calc: 'join_text', of: ['preferred', { text: ' – ' }, 'which'] }),
      ],
    },
  ],
  cases: [
    {
      given: { preferred: 'cy', needs: [2, 1], which: 'x' },
      calculated: { need_points: 5, words: 'Cymraeg — “Welsh”' },
      hidden: ['which'],
    },
    {
      given: { preferred: 'other', which: 'فارسی 🙂' },
      calculated: { words: 'Other… – فارسی 🙂' },
      visible: ['which'],
    },
    { given: { needs: [1, 3] }, errors: { needs: 'None · Dim' } },
  ],
}

const nested: Questionnaire = {
  name: 'groups under groups with conditions on each level',
  groups: [
    group('start', [yesno('has_care'), choice('setting', ['home', 'ward', 'hostel'])]),
    group('care', [field('provider')], { when: { has_care: 'yes' } }),
    group('care_home', [yesno('paid', { known_only: true }), visibleWhen('cost', { paid: 'yes' }, {})], {
      under: 'care',
      when: { setting: 'home' },
      folded: true,
    }),
    group('care_ward', [field('ward', 'text', { required_when: { provider: { set: true } } })], {
      under: 'care',
      when: { setting: ['ward', 'hostel'] },
    }),
    group('end', [
      chosen('path', [
        { when: { paid: 'yes' }, then: { text: 'Paid' } },
        { when: { ward: { set: true } }, then: 'ward' },
        { then: { text: 'None' } },
      ]),
      visibleWhen('last', { path: { not: 'None' } }),
    ]),
  ],
  cases: [
    {
      given: { has_care: 'yes', setting: 'home', paid: 'yes', cost: '5' },
      calculated: { path: 'Paid' },
      visible: ['cost', 'last'],
      hidden: ['ward'],
    },
    {
      given: { has_care: 'no', setting: 'home', paid: 'yes' },
      calculated: { path: 'None' },
      hidden: ['paid', 'cost', 'ward', 'last'],
    },
    {
      given: { has_care: 'yes', setting: 'ward', ward: 'Elm' },
      calculated: { path: 'Elm' },
      visible: ['ward'],
      hidden: ['paid'],
    },
  ],
}

const money: Questionnaire = {
  name: 'income and outgoings with a check across fields',
  groups: [
    group('income', [
      field('wage', 'money', { min: 0 }),
      field('benefits', 'money', { min: 0 }),
      repeat('debts', [
        field('whom', 'text', { required: true }),
        field('owed', 'money', { required: true, min: 0 }),
        choice('priority', ['rent', 'fuel', 'other'], { required: true }),
      ]),
    ]),
    group('sums', [
      field('income', 'money', { calc: 'sum', of: ['wage', 'benefits'] }),
      field('owed_all', 'money', { calc: 'sum', of: ['debts.owed'] }),
      field('months', 'decimal', { calc: 'divide', of: ['owed_all', 'income'], places: 1 }),
      field('whole_months', 'integer', { calc: 'floor', of: ['months'] }),
      field('offer', 'money', {
        checks: [
          { when: { offer: { min: { path: 'income' } } }, message: 'An offer must be less than the income' },
        ],
      }),
      chosen('urgency', [
        { when: { debts: { any_row: { priority: 'rent', owed: { min: 500 } } } }, then: { text: 'Today' } },
        { when: { months: { min: 6 } }, then: { text: 'This week' } },
        { then: { text: 'Ordinary' } },
      ]),
    ]),
  ],
  cases: [
    {
      given: {
        wage: '100.10',
        benefits: '200.20',
        offer: '300.30',
        debts: [{ whom: 'A', owed: '2000.00', priority: 'fuel' }],
      },
      calculated: {
        income: '300.30',
        owed_all: '2000.00',
        months: '6.7',
        whole_months: 6,
        urgency: 'This week',
      },
      errors: { offer: 'An offer must be less than the income' },
    },
    {
      given: {
        debts: [
          { whom: 'A', owed: '499.99', priority: 'rent' },
          { whom: 'B', owed: '900.00', priority: 'other' },
        ],
      },
      calculated: { income: undefined, months: undefined, urgency: 'Ordinary' },
    },
    { given: { debts: [{ whom: 'A', owed: '500.00', priority: 'rent' }] }, calculated: { urgency: 'Today' } },
  ],
}

const family: Questionnaire = {
  name: 'a family in rows, with what follows from the youngest',
  groups: [
    group('family', [
      repeat('people', [
        field('name', 'text', { required: true }),
        field('born', 'date', { required: true, rules: ['date_of_birth'] }),
        choice('relation', ['child', 'partner', 'parent', 'other'], { required: true }),
        field('age', 'integer', { calc: 'age_at', of: ['born', 'asked_on'] }),
        yesno('in_school', { when: { relation: 'child', age: { min: 4, max: 18 } } }),
        field('school', 'text', { required_when: { in_school: 'yes' }, when: { in_school: 'yes' } }),
      ]),
      field('asked_on', 'date', { required: true }),
      field('youngest', 'integer', { calc: 'min', of: ['people.age'] }),
      field('children', 'integer', { calc: 'count_rows', of: ['people'], rows_when: { relation: 'child' } }),
      visibleWhen(
        'child_worker',
        { people: { any_row: { relation: 'child', age: { max: 17 } } } },
        { required: true },
      ),
    ]),
  ],
  cases: [
    {
      given: {
        asked_on: '2026-03-01',
        people: [
          { name: 'A', born: '2010-03-02', relation: 'child', in_school: 'yes' },
          { name: 'B', born: '1980-01-01', relation: 'partner', in_school: 'yes' },
        ],
      },
      calculated: { youngest: 15, children: 1 },
      visible: ['child_worker'],
    },
    {
      given: { asked_on: '2026-03-01', people: [{ name: 'A', born: '2000-01-01', relation: 'child' }] },
      hidden: ['child_worker'],
    },
  ],
}

const outcome: Questionnaire = {
  name: 'outcomes that are compared with those of last time',
  groups: [
    group('stars', [
      ...['housing', 'health', 'work'].map((name) =>
        field(name, 'scale', { min: 1, max: 10, required: true }),
      ),
      field('average', 'decimal', { calc: 'divide', of: ['star_sum', 3], places: 1 }),
      field('star_sum', 'integer', { calc: 'sum', of: ['housing', 'health', 'work'], hidden: true }),
      chosen('trend', [
        {
          when: { average: { min: { path: '$last.average' } }, '$last.average': { set: true } },
          then: { text: 'Not worse' },
        },
        { when: { '$last.average': { set: true } }, then: { text: 'Worse' } },
        { then: { text: 'First time' } },
      ]),
      chosen('before', bands('$last.star_sum', [10, 'Low'], [20, 'Middle'], [30, 'High'])),
      visibleWhen('why', { trend: 'Worse' }, { required: true }),
    ]),
  ],
  last: { average: '6.0', star_sum: 18 },
  cases: [
    {
      given: { housing: 6, health: 6, work: 6 },
      calculated: { average: '6.0', trend: 'Not worse', before: 'Middle' },
      hidden: ['why'],
    },
    {
      given: { housing: 1, health: 1, work: 10 },
      calculated: { average: '4.0', trend: 'Worse' },
      visible: ['why'],
    },
  ],
}

const conditional: Questionnaire = {
  name: 'questions that are required by long chains of others',
  groups: [
    group('chain', [
      yesno('a', { known_only: true, required: true }),
      yesno('b', { known_only: true, when: { a: 'yes' }, required: true }),
      yesno('c', {
        known_only: true,
        when: { b: 'yes' },
        required_when: { a: 'yes', any: [{ b: 'yes' }, { d: 'yes' }] },
      }),
      yesno('d', { known_only: true, when: { any: [{ c: 'yes' }, { a: 'no' }] } }),
      choice('many', ['x', 'y', 'z'], { when: { d: { set: true } } }, 'multiselect'),
      visibleWhen('only_x', { many: 'x' }, { required: true }),
      visibleWhen('not_x', { many: { not: 'x', set: true } }, { required: true }),
      field('number', 'text', {
        required_when: { many: ['y', 'z'] },
        pattern: { matches: '[A-Z]{2}-[0-9]{3}', example: 'AB-123' },
      }),
      field('open', 'integer', { calc: 'count', of: ['only_x', 'not_x', 'number'] }),
    ]),
  ],
  cases: [
    {
      given: { a: 'yes', b: 'yes', c: 'yes', d: 'no', many: ['x', 'y'], number: 'ab' },
      visible: ['only_x'],
      hidden: ['not_x'],
      errors: { number: 'AB-123' },
      calculated: { open: 1 },
    },
    {
      given: { a: 'yes', b: 'no', c: 'yes', d: 'yes', many: ['z'] },
      hidden: ['c', 'd', 'many', 'not_x'],
      calculated: { open: 0 },
    },
    {
      given: { a: 'no', d: 'no', many: ['z'], not_x: 'w' },
      visible: ['d', 'not_x'],
      hidden: ['b', 'c'],
      calculated: { open: 1 },
    },
  ],
}

export const QUESTIONNAIRES: Questionnaire[] = [
  mood,
  risk,
  medication,
  capacity,
  visits,
  addresses,
  languages,
  nested,
  money,
  family,
  outcome,
  conditional,
]
