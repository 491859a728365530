import type { Page } from 'playwright-core'
import type { Demo } from './demo.ts'
import { type Layers, testLayers } from './layer-run.ts'
import { click } from './open-layers.ts'
import {
  changeTooMany,
  confirmRejected,
  createSecondDeal,
  deleteInPanel,
  discardReport,
  enterKnownName,
  leaveImport,
  leaveReport,
  returnToPanel,
  saveReportTooLate,
  saveTooLate,
  sendFeedback,
  stopImport,
} from './open-questions.ts'
import { shownRecords } from './shown.ts'

/**
 * The questions that screens ask when someone else was faster, when work would be lost, or when an action cannot be
 * undone.
 */
const LAYERS: Layers = {
  '/companies?view={contested}': {
    'view that someone else has saved': {
      shows: ['dialog', 'This view was saved after you opened it'],
      open: saveTooLate,
      changesScreen: true,
    },
  },
  // The last page, which has few rows.
  '/companies?page=8': {
    'selection that has changed': {
      shows: ['dialog', 'The selection has changed'],
      open: changeTooMany,
      tidy: click('Clear selection'),
      changesScreen: true,
    },
  },
  '/companies/import': {
    'leaving an import': {
      shows: ['dialog', 'Leave while the import is running?'],
      open: leaveImport,
      tidy: stopImport,
      changesScreen: true,
      isPending: true,
    },
  },
  '/settings/sessions': {
    'end a session': { shows: ['dialog', 'End this session?'], open: click(/^End the session of /) },
    'end all other sessions': {
      shows: ['dialog', 'End all other sessions?'],
      open: click('End all other sessions'),
    },
  },
  '/bulk-actions/{bulkAction}': {
    'cancel a bulk action': { shows: ['dialog', 'Cancel this bulk action?'], open: click('Cancel') },
  },
  '/theses/{thesis}': {
    'leaving the editor': {
      shows: ['dialog', 'Leave without saving?'],
      open: leaveReport,
      tidy: discardReport,
      changesScreen: true,
    },
    'report that someone else has saved': {
      shows: ['alert', 'Someone else changed this thesis'],
      open: saveReportTooLate,
      close: discardReport,
      changesScreen: true,
    },
  },
  '/theses/{thesis}?tab=matches': {
    'deal with a match': { shows: ['dialog', 'New deal'], open: click('New deal') },
  },
  '/companies/{inPipeline}': {
    'second deal': { shows: ['dialog', 'New deal'], open: createSecondDeal, changesScreen: true },
    'delete a company from its menu': {
      shows: ['dialog', /^Delete .+\?$/],
      open: click('More actions', 'Delete company'),
    },
  },
  '/pipeline?deal={deal}': {
    'delete a deal in its panel': {
      shows: ['dialog', /^Delete the deal with /],
      open: deleteInPanel,
      close: returnToPanel,
      changesScreen: true,
    },
  },
  '/pipeline': {
    'won deal': {
      shows: ['dialog', /^Mark deal as .+\?$/],
      open: click(/^Actions for deal with /, /won$/i),
      changesScreen: true,
    },
  },
  '/companies?q=polar': {
    'company that may exist': {
      shows: ['dialog', 'New company'],
      open: enterKnownName,
      changesScreen: true,
    },
  },
  '/companies?view={view}': {
    'question that fails': {
      shows: ['dialog', 'Delete view'],
      open: confirmRejected,
      changesScreen: true,
    },
  },
  '/home': {
    'feedback without a subject': { shows: ['dialog', 'Feedback'], open: sendFeedback('') },
    'sent feedback': { shows: ['dialog', 'Feedback'], open: sendFeedback('A subject') },
  },
}

/** Creates what the questions are about. */
async function prepare(demo: Demo): Promise<Record<string, string>> {
  const { api } = demo
  const shown = await shownRecords(demo)
  const { data: contested } = await api.createView({ body: { entity: 'company', name: 'Contested' } })
  const [deal] = (await api.listDeals({ querystring: { status: 'active', limit: 1 } })).data
  await api.updateBulkAction({ params: { id: shown.bulkAction }, body: { status: 'running' } })
  return { ...shown, contested: contested.id, deal: deal?.id ?? '', inPipeline: deal?.company_id ?? '' }
}

const SESSION = {
  user_email: 'ada@example.com',
  created_at: '2026-03-02T09:30:00.000Z',
  last_seen_at: '2026-03-02T09:30:00.000Z',
  expires_at: '2036-03-02T09:30:00.000Z',
  address: '192.0.2.1',
  browser: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
}

/** Without an identity provider, no one has sessions. */
async function showSessions(page: Page): Promise<void> {
  const data = [
    { ...SESSION, id: 'ses_1', current: true },
    { ...SESSION, id: 'ses_2', current: false },
  ]
  const pagination = { total: 2, limit: 1000, offset: 0, hasMore: false }
  await page.route('**/api/sessions*', (route) => route.fulfill({ json: { data, pagination } }))
}

testLayers({ layers: [LAYERS], prepare, setUp: showSessions })
