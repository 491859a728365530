import type { Demo } from './demo.ts'
import { type Layers, testLayers } from './layer-run.ts'
import { click, clickSelected } from './open-layers.ts'
import { chooseValue, edit, list, searchPalette, showAll, typeTag } from './open-panels.ts'
import { shownRecords } from './shown.ts'

const VIEWS = 12

const LISTS: Layers = {
  '/home': {
    'results of the command palette': {
      shows: ['dialog', 'Command palette'],
      open: searchPalette('po'),
    },
    'command palette without results': {
      shows: ['dialog', 'Command palette'],
      open: searchPalette('no such thing'),
    },
  },
  '/companies?q=polar': {
    'values of a filter': {
      shows: ['listbox', 'Value'],
      open: chooseValue,
      isWideOnly: true,
      changesScreen: true,
    },
    'statuses of the selection': {
      shows: ['listbox', 'Status'],
      open: list('Status', clickSelected('Change status')),
      changesScreen: true,
    },
  },
  '/companies/{company}': {
    'statuses of a company': { shows: ['listbox', 'Status'], open: edit('Status'), changesScreen: true },
    'industries of a company': {
      shows: ['listbox', 'Industry'],
      open: edit('Industry'),
      changesScreen: true,
    },
    'tags of a company': { shows: ['listbox', 'Tags'], open: typeTag, changesScreen: true },
    'theses of a bulk action': {
      shows: ['listbox', 'Thesis for companies without one'],
      open: list('Thesis for companies without one', click('Run AI', 'Score')),
    },
  },
  '/pipeline': {
    'companies of a new deal': { shows: ['listbox', 'Company'], open: list('Company', click('New deal')) },
    'stages of a new deal': { shows: ['listbox', 'Stage'], open: list('Stage', click('New deal')) },
  },
  '/pipeline?deal={deal}': {
    'owners of a deal': {
      shows: ['listbox', 'Owner'],
      open: list('Owner', async () => {}),
      changesScreen: true,
    },
  },
  '/pipeline?layout=list': {
    'deal menu in the list': {
      shows: ['menu', /^Actions for deal with /],
      open: click(/^Actions for deal with /),
    },
  },
  '/activity': { 'people of the activity': { shows: ['listbox', 'User'], open: list('User') } },
  '/settings/tags': {
    'tags to merge into': {
      shows: ['listbox', 'Merge into'],
      open: list('Merge into', click(/^Actions for /, 'Merge into…')),
    },
  },
}

const PANELS: Layers = {
  '/companies': {
    // A narrower window hides other views, and may close the menu.
    'hidden views': { shows: ['menu', /^\d+ more$/], open: click(/^\d+ more$/), isWideOnly: true },
    'hidden views on a phone': { shows: ['menu', /^\d+ more$/], open: click(/^\d+ more$/), width: 412 },
  },
  '/companies?view=view_unknown': {
    'unknown view': {
      shows: ['alert', null, 'This view does not exist'],
      open: async (_page, layer) => layer.waitFor(),
      close: showAll,
      changesScreen: true,
    },
  },
}

/** Creates what the layers show. */
async function prepare(demo: Demo): Promise<Record<string, string>> {
  const { api } = demo
  const shown = await shownRecords(demo)
  for (let n = 1; n <= VIEWS; n++)
    await api.createView({ body: { entity: 'company', name: `Companies of the region ${n}` } })
  // Its tags are suggested.
  await api.createCompany({ body: { name: 'Former Ovens', tags: ['looms', 'long-term'] } })
  const [deal] = (await api.listDeals({ querystring: { status: 'active', limit: 1 } })).data
  return { ...shown, deal: deal?.id ?? '' }
}

testLayers({ layers: [LISTS, PANELS], prepare })
