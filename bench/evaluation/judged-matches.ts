/**
 * Which of the demo's companies fit its theses. The demo's descriptions name a product and its customers ("Makes picking
 * robots for mid-sized warehouses."), so a judgment is about both.
 *
 * The rule: a company fits if an analyst who works on the thesis would take a first meeting, knowing the description alone:
 * what it makes is what the thesis is about, for the customers that the thesis is about. Working in a related industry is
 * not enough, whatever the company's `thesis_id` says. The judgments were made from the texts, before any ranking was seen.
 */
export interface Judgment {
  product: string
  /** Undefined: any. */
  customers?: readonly string[]
  because: string
}

export const JUDGED_MATCHES: Record<string, readonly Judgment[]> = {
  'WAREHOUSE-ROBOTS': [
    { product: 'picking robots', because: 'The report is about robots that pick.' },
    { product: 'autonomous pallet movers', because: 'Robots that work in warehouses.' },
    {
      product: 'gripping systems',
      because: 'The part of a picking robot that recognizes and holds objects.',
    },
    {
      product: 'fleet software for mobile robots',
      because: 'Runs the robots of a site without vendor staff.',
    },
  ],
  'GRID-FLEXIBILITY': [
    { product: 'battery storage control', because: 'The report names storage control.' },
    { product: 'demand response software', because: 'Shifts load for operators and industry.' },
    { product: 'heat pump fleets', because: 'The report names heat pumps in bulk.' },
    { product: 'charging management', because: 'Shifts the load of chargers, which wait for a connection.' },
  ],
  'CARE-AT-HOME': [
    { product: 'remote monitoring for heart patients', because: 'Monitoring between visits.' },
    { product: 'scheduling for home nursing', because: 'The first stage of the pattern.' },
    {
      product: 'wound imaging',
      customers: ['home-care providers', 'health insurers'],
      because: 'Lets a nurse judge wounds at home. In hospitals it does not.',
    },
    {
      product: 'rehabilitation programs',
      customers: ['home-care providers', 'health insurers'],
      because: 'Care after an early discharge. In hospitals it is not at home.',
    },
    {
      product: 'fall detection',
      because: 'Watches patients between visits.',
    },
    {
      product: 'wearable sensors',
      because: 'Devices of remote monitoring.',
    },
  ],
}

/** Whether a company of the demo fits a thesis. */
export const isJudgedFit = (code: string, description: string): boolean =>
  (JUDGED_MATCHES[code] ?? []).some(({ product, customers }) =>
    (customers ?? ['']).some((customer) => description.startsWith(`Makes ${product} for ${customer}`)),
  )
