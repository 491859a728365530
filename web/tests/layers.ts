import type { Layers } from './layer-run.ts'
import {
  changeRole,
  click,
  clickSelected,
  createKey,
  discardReport,
  endSession,
  filterBy,
  press,
  select,
} from './open-layers.ts'

const DEAL = /^Deal with /
const ACTIONS = /^Actions for deal with /

const HOME: Layers[string] = {
  'account menu': { shows: ['menu', /^Your account/], open: click(/^Your account/) },
  feedback: { shows: ['dialog', 'Feedback'], open: click('Feedback') },
  'command palette': { shows: ['dialog', 'Command palette'], open: press('Control+k') },
  'keyboard help': { shows: ['dialog', 'Keyboard shortcuts'], open: press('?') },
  'ended session': {
    shows: ['dialog', 'Your session has ended'],
    open: endSession,
    changesScreen: true,
  },
}

const LIST: Layers[string] = {
  'new company': { shows: ['dialog', 'New company'], open: press('c') },
  filter: { shows: ['dialog', 'Filter'], open: filterBy('Status') },
  'fields of a filter': {
    shows: ['listbox', 'Field'],
    open: press('f'),
    isWideOnly: true,
    changesScreen: true,
  },
  'quick filters': { shows: ['dialog', 'Quick filters'], open: click('Quick filters') },
  'more actions of the list': { shows: ['menu', 'More actions'], open: click('More actions') },
  columns: { shows: ['dialog', 'Columns'], open: click('Columns'), isWideOnly: true },
  'column menu': {
    shows: ['menu', 'Options for Company'],
    open: click('Options for Company'),
    isWideOnly: true,
  },
  'owner in the list': { shows: ['dialog', /^Owner of /], open: click(/^Owner of /), isWideOnly: true },
  'assign thesis to the selection': {
    shows: ['dialog', /^Assign a thesis to \d+ companies$/],
    open: clickSelected('Assign thesis'),
  },
  'change status of the selection': {
    shows: ['dialog', /^Change the status of \d+ companies$/],
    open: clickSelected('Change status'),
  },
  'delete the selection': { shows: ['dialog', /^Delete \d+ companies\?$/], open: clickSelected('Delete') },
  'bulk action': { shows: ['dialog', /^Run AI on \d+ companies$/], open: clickSelected('Run AI') },
  'selection bar': {
    shows: ['region', 'Selected companies'],
    open: select,
    close: click('Clear selection'),
  },
}

const ALL: Layers[string] = {
  'view menu of all companies': {
    shows: ['menu', 'Options for the view All companies'],
    open: click('Options for the view All companies'),
  },
}

const VIEW: Layers[string] = {
  'view menu': {
    shows: ['menu', /^Options for the view /],
    open: click(/^Options for the view /),
    isWideOnly: true,
  },
  'rename view': {
    shows: ['dialog', 'Rename view'],
    open: click(/^Options for the view /, 'Rename or share…'),
  },
  'delete view': { shows: ['dialog', 'Delete view'], open: click(/^Options for the view /, 'Delete…') },
}

const COMPANY: Layers[string] = {
  status: { shows: ['dialog', /^Change status of /], open: press('s') },
  thesis: { shows: ['dialog', /^Assign thesis to /], open: press('t') },
  owner: { shows: ['dialog', /^Assign owner to /], open: press('o') },
  tags: { shows: ['dialog', /^Tags of /], open: press('#') },
  'new deal of a company': { shows: ['dialog', 'New deal'], open: press('d') },
  'delete company': { shows: ['dialog', /^Delete .+\?$/], open: press('Delete') },
  'AI menu': { shows: ['menu', 'Run AI'], open: click('Run AI') },
  'export menu': { shows: ['menu', 'Export'], open: click('Export') },
  'add person': { shows: ['dialog', /^Add a person to /], open: click('Add person') },
  'more actions of a company': { shows: ['menu', 'More actions'], open: click('More actions') },
  'new note': { shows: ['dialog', 'New note'], open: press('n') },
  'new call': { shows: ['dialog', 'Log a call'], open: press('l') },
  'score a company': { shows: ['dialog', 'Run AI on 1 company'], open: click('Run AI', 'Score') },
}

const PEOPLE: Layers[string] = {
  'new person': { shows: ['dialog', 'New person'], open: press('c') },
  'filter of people': { shows: ['dialog', 'Filter'], open: filterBy('Company') },
  'more actions of the list of people': { shows: ['menu', 'More actions'], open: click('More actions') },
  'selected people': {
    shows: ['region', 'Selected people'],
    open: select,
    close: click('Clear selection'),
  },
  'merge people': { shows: ['dialog', 'Merge 2 people'], open: clickSelected('Merge') },
}

const PERSON: Layers[string] = {
  'more actions of a person': { shows: ['menu', 'More actions'], open: click('More actions') },
  'add company': { shows: ['dialog', /^Add a company to /], open: click('Add company') },
  'edit role': { shows: ['dialog', /^Edit the role of /], open: click(/^Edit the role of /) },
  'merge into': { shows: ['dialog', /^Merge .+ into…$/], open: click('More actions', 'Merge into…') },
  'delete person': { shows: ['dialog', /^Delete .+\?$/], open: press('Delete') },
}

const PIPELINE: Layers[string] = {
  'new deal': { shows: ['dialog', 'New deal'], open: click('New deal') },
  'filter of deals': { shows: ['dialog', 'Filter'], open: filterBy('Stage') },
  'deal menu': { shows: ['menu', ACTIONS], open: click(ACTIONS) },
  deal: { shows: ['dialog', DEAL], open: click(/^Open deal with /) },
  'delete deal': { shows: ['dialog', /^Delete the deal with /], open: click(ACTIONS, 'Delete deal') },
  'move deals': { shows: ['menu', 'Move to…'], open: press('j', 'x', 'm'), changesScreen: true },
  'lost deal': {
    shows: ['dialog', 'Why was this deal lost?'],
    open: click(ACTIONS, /lost$/i),
    changesScreen: true,
  },
}

const THESIS: Layers[string] = {
  'delete thesis': { shows: ['dialog', /^Delete thesis /], open: click('Delete') },
  'score linked companies': { shows: ['dialog', /^Run AI on /], open: click('Score') },
  'discard changes': {
    shows: ['dialog', 'Discard changes?'],
    open: discardReport,
    changesScreen: true,
  },
}

const MATCHES: Layers[string] = {
  'ranking criteria': { shows: ['dialog', 'Ranking criteria'], open: click('Criteria') },
  'score matches': { shows: ['dialog', /^Run AI on /], open: click(/^Score the best/) },
}

const NOTE: Layers[string] = {
  'note menu': { shows: ['menu', /^Options for Looms/], open: click(/^Options for Looms/) },
  'history of a note': {
    shows: ['dialog', 'Looms and prices'],
    open: click(/^Options for Looms/, 'History'),
  },
}

const TAGS: Layers[string] = {
  'tag menu': { shows: ['menu', /^Actions for /], open: click(/^Actions for /) },
  'rename tag': { shows: ['dialog', /^Rename the tag /], open: click(/^Actions for /, 'Rename…') },
  'merge tags': { shows: ['dialog', /^Merge the tag /], open: click(/^Actions for /, 'Merge into…') },
  'delete tag': { shows: ['dialog', /^Delete the tag /], open: click(/^Actions for /, 'Delete…') },
}

const FIELDS: Layers[string] = {
  'new field': { shows: ['dialog', /^New field/], open: click('New field') },
  'field menu': { shows: ['menu', /^Actions for /], open: click(/^Actions for /) },
  'edit field': { shows: ['dialog', /^Edit field/], open: click(/^Actions for /, 'Edit') },
  'delete field': { shows: ['dialog', /^Delete the field /], open: click('Actions for Batch', 'Delete…') },
}

const KEYS: Layers[string] = {
  'new key': { shows: ['dialog', 'New API key'], open: click('New API key') },
  'revoke key': { shows: ['dialog', 'Revoke this key?'], open: click(/^Revoke /) },
  'created key': {
    shows: ['dialog', 'Copy your new key'],
    open: createKey,
    close: click('Done'),
    changesScreen: true,
  },
}

const USERS: Layers[string] = {
  'change role': { shows: ['dialog', 'Change this role?'], open: changeRole },
  'disable user': { shows: ['dialog', 'Disable this user?'], open: click(/^Disable ben/) },
}

/** The layers of all screens. */
export const LAYERS: Layers = {
  '/home': HOME,
  // Few rows, because what is behind a layer is not looked at.
  '/companies?q=polar': LIST,
  '/companies': ALL,
  '/companies?q=polar&sort=name': {
    'save view': { shows: ['dialog', 'Save as a new view'], open: click('Save as view…') },
  },
  '/companies?q=polar&columns=[{"field":"tags"}]': {
    'tags in the list': { shows: ['dialog', /^Tags of /], open: click(/^Tags of /), isWideOnly: true },
  },
  '/companies?view={view}': VIEW,
  '/companies/{company}': COMPANY,
  '/people?q=polar': PEOPLE,
  '/people/{person}': PERSON,
  '/pipeline': PIPELINE,
  '/theses': { 'new thesis': { shows: ['dialog', 'New thesis'], open: click('New thesis') } },
  '/theses/{thesis}': THESIS,
  '/notes/{note}': NOTE,
  '/theses/{thesis}?tab=matches': MATCHES,
  '/activity/actions/{action}': {
    undo: { shows: ['dialog', 'Undo this action?'], open: click('Undo') },
  },
  '/duplicates': { 'merge companies': { shows: ['dialog', /^Merge 2 /], open: click(/^Merge /) } },
  '/trash': {
    'delete permanently': {
      shows: ['dialog', /^Permanently delete /],
      open: click(/^Delete permanently: /),
    },
  },
  '/settings/tags': TAGS,
  '/settings/fields': FIELDS,
  '/settings/keys': KEYS,
  '/admin/users': USERS,
}
