// What is measured: the bundle of forms/engines, how many fields a group of the form has (only ours and the form by
// hand have groups), and in how many of the repetitions: peers need fewer, for nothing is claimed closely of them.
const USUAL_GROUP = 10

/** Engines by the name that tables show; `hand` is 1.0. */
export const ENGINES = {
  'by hand': { bundle: 'hand', group: USUAL_GROUP, every: true },
  ours: { bundle: 'ours', group: USUAL_GROUP, every: true },
  'ours, one group': { bundle: 'ours', group: 1000 },
  'react-hook-form': { bundle: 'rhf', group: USUAL_GROUP },
  rjsf: { bundle: 'rjsf', group: USUAL_GROUP },
  'JSON Forms': { bundle: 'jsonforms', group: USUAL_GROUP },
  SurveyJS: { bundle: 'surveyjs', group: USUAL_GROUP },
}
export const YARDSTICK = 'by hand'
