const CASE_TYPE = 'IMCA - Serious medical treatment'
const FIELD = 'Ward or unit is in use'

/** Milliseconds from the answer to a publication until an advocate's open form tells of it, once a round. */
export async function untilVisible(admin, advocate, rounds) {
  // The draft of another form is kept; leaving it loses nothing.
  await admin.goto('/dashboard/module-constructor')
  await admin.getByRole('link', { name: CASE_TYPE, exact: true }).click()
  const [id] = await casesOf(advocate)
  const times = []
  for (let round = 0; round < rounds; round++) {
    await advocate.goto(`/cases/${id}/details`)
    await advocate
      .getByRole('button', { name: /^Change / })
      .last()
      .click()
    await advocate.getByRole('button', { name: 'Save' }).waitFor()
    const field = admin.getByLabel(FIELD)
    await field.setChecked(round % 2 === 1, { force: true })
    await admin.getByRole('button', { name: 'Publish…' }).click()
    const answered = admin.waitForResponse((reply) => reply.request().method() === 'PATCH')
    await admin.getByRole('button', { name: /^Publish version/ }).click()
    await answered
    const published = performance.now()
    await advocate.getByText(/was changed while you had it open/).waitFor()
    times.push(performance.now() - published)
    await admin.getByText('Everything is published.').waitFor()
  }
  return times
}

/** Ids of cases of that case type that the page's person may open. */
async function casesOf(page) {
  return page.evaluate(async (label) => {
    const headers = { accept: 'application/json', authorization: `Token ${localStorage.token}` }
    const reply = await fetch('/cases/?page_size=100', { headers })
    const { data } = await reply.json()
    return Object.values(data)
      .filter((one) => one.case_type_label === label)
      .map((one) => one.id)
  }, CASE_TYPE)
}
