// Runs in the page before an engine does. An engine's bundle draws the form and leaves window.adapter behind:
//   control(name)         the input of a text, or nothing (or one that is hidden) while it is not shown
//   toggle(name, answer)  answers a yes-or-no question as a person would
//   stored(name)          what the engine's own document has of a text
//   submit()              asks for everything to be judged
//   total()               the text of the last calculated field, where the form has any
//   errors()              how many messages stand beside fields
;(() => {
  const PATIENCE = 20_000
  const bench = /** @type {FormBench} */ ({ problems: /** @type {string[]} */ ([]) })
  window.bench = bench
  window.addEventListener('error', (event) => bench.problems.push(String(event.message)))
  window.addEventListener('unhandledrejection', (event) => bench.problems.push(String(event.reason)))

  const afterPaint = () =>
    new Promise((resolve) => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => resolve(performance.now())
        port2.postMessage(0)
      })
    })

  // Milliseconds from `since` until the frame that shows it is painted; NaN when it never comes.
  const shownAfter = async (since, isThere) => {
    while (!isThere()) {
      if (performance.now() - since > PATIENCE) return Number.NaN
      await new Promise(requestAnimationFrame)
    }
    return (await afterPaint()) - since
  }

  const isShown = (control) => Boolean(control) && !control.closest('[hidden]')

  bench.controls = () =>
    document.querySelectorAll('#root :is(input, select, textarea):not([hidden] *)').length

  bench.start = async (bundle, controls) => {
    await (await fetch(bundle)).text()
    await afterPaint()
    const began = performance.now()
    const script = document.createElement('script')
    script.type = 'module'
    script.src = bundle
    document.body.append(script)
    return shownAfter(began, () => window.adapter && bench.controls() >= controls)
  }

  bench.toggle = (driver, answer, field) => {
    const began = performance.now()
    window.adapter.toggle(driver, answer)
    const wanted = answer === 'yes'
    return shownAfter(began, () => isShown(window.adapter.control(field)) === wanted)
  }

  bench.submit = (errors) => {
    const began = performance.now()
    window.adapter.submit()
    return shownAfter(began, () => window.adapter.errors() >= errors)
  }

  let busy
  // Keeps the page's one thread busy for a share of the time, as other work of a page does.
  bench.load = (share) => {
    clearInterval(busy)
    if (share > 0)
      busy = setInterval(() => {
        const until = performance.now() + 50 * share
        while (performance.now() < until);
      }, 50)
  }
})()
