import { lazy, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { strings } from '#strings/keyboard.ts'
import { strings as notes } from '#strings/notes.ts'
import { useCan } from '#web/api/use-can.ts'
import { countOf } from '#web/bulk-actions/target.ts'
import { type Action, useActions } from '#web/keyboard/actions.ts'
import { NewNote } from '#web/notes/lazy-forms.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { LazyDialog } from '#web/ui/lazy.tsx'
import { useChangeCompanies } from '../../hooks/use-change-companies.ts'
import { type RejectedChange, rejectedChanges } from '../../rejected-changes.ts'
import { type Changes, type ShortcutTargets, targetOf, withNewCount } from '../../shortcut-targets.ts'
import { DeleteDialog } from '../selection/delete-dialog.tsx'
import { ChoiceDialog, type ChoiceField } from './choice-dialog.tsx'

const NewDeal = lazy(() => import('#web/screens/pipeline/components/deal/new-deal-dialog.tsx'))
const TagsDialog = lazy(() => import('./tags-dialog.tsx'))

interface TriageProps {
  readTargets: () => ShortcutTargets
  /** The company that has the focus, whatever is selected. */
  focused?: () => ShortcutTargets['company']
  /** Offers to log a call with the company. Its page offers that itself. */
  hasCalls?: boolean
  /** Advances to the next company after a change. */
  advance?: () => void
  onDeleted?: () => void
}

type Kind = ChoiceField | 'tags' | 'deal' | 'call' | 'delete'

/** The keys that change companies, and their dialogs. */
export function Triage({ readTargets, focused, hasCalls = false, advance, onDeleted }: TriageProps) {
  const [dialog, setDialog] = useState<{ kind: Kind; targets: ShortcutTargets } | null>(null)
  const rejected = useSyncExternalStore(rejectedChanges.subscribe, rejectedChanges.first)
  const change = useChangeCompanies()
  const isDone = useRef(false)
  const mayWrite = useCan('write')
  const mayDelete = useCan('delete')
  const open = (kind: Kind) => {
    const targets = readTargets()
    if (countOf(targetOf(targets)) > 0) setDialog({ kind, targets })
  }
  // A deal belongs to one company, and a call is about the one in focus.
  const openForOne = (kind: 'deal' | 'call') => {
    const targets = readTargets()
    const company = targets.company ?? focused?.()
    if (company) setDialog({ kind, targets: { ...targets, company } })
  }
  const close = () => setDialog(null)
  const save = (targets: ShortcutTargets) => (changes: Changes) => {
    if (Object.keys(changes).length > 0) change.mutate({ targets, changes })
    isDone.current = true
    close()
  }
  // Advances only once the dialog is closed: closing returns the focus to the same company.
  useEffect(() => {
    if (dialog || !isDone.current) return
    isDone.current = false
    advance?.()
  }, [dialog, advance])
  const group = strings.company
  const changes: Action[] = [
    { id: 'status', label: strings.changeStatus, group, keys: ['s'], run: () => open('status') },
    { id: 'thesis', label: strings.assignThesis, group, keys: ['t'], run: () => open('thesis_id') },
    { id: 'owner', label: strings.assignOwner, group, keys: ['o'], run: () => open('owner_email') },
    { id: 'tags', label: strings.changeTags, group, keys: ['#'], run: () => open('tags') },
    { id: 'deal', label: strings.newDeal, group, keys: ['d'], run: () => openForOne('deal') },
  ]
  useActions([
    ...(mayWrite ? changes : []),
    mayWrite &&
      hasCalls && {
        id: 'log-call',
        label: notes.newOf.call,
        group,
        keys: ['l'],
        run: () => openForOne('call'),
      },
    mayDelete && {
      id: 'delete',
      label: strings.moveToTrash,
      group,
      keys: ['Delete'],
      run: () => open('delete'),
    },
  ])
  // An open dialog keeps what the user has entered.
  if (!dialog) return rejected && <CountChangedDialog key={rejected.id} rejected={rejected} />
  const { kind, targets } = dialog
  if (kind === 'delete') return <DeleteDialog targets={targets} close={close} onDeleted={onDeleted} />
  if (kind === 'tags')
    return (
      <LazyDialog close={close}>
        <TagsDialog targets={targets} save={save(targets)} close={close} />
      </LazyDialog>
    )
  if (kind === 'call' && targets.company)
    return (
      <LazyDialog close={close}>
        <NewNote kind="call" about={aboutCompany(targets.company)} close={close} />
      </LazyDialog>
    )
  if (kind === 'deal' || kind === 'call')
    return (
      <LazyDialog close={close}>
        <NewDeal {...newDealOf(targets)} close={close} />
      </LazyDialog>
    )
  return <ChoiceDialog field={kind} targets={targets} save={save(targets)} close={close} />
}

const aboutCompany = ({ id, name }: { id: string; name: string }) => ({ type: 'company' as const, id, name })

/** The company of a new deal; with several companies, the dialog says that it is for one of them only. */
function newDealOf(targets: ShortcutTargets) {
  const { company } = targets
  if (!company) return {}
  const { id, name } = company
  const isOnlyOne = countOf(targetOf(targets)) === 1 && targets.ids[0] === id
  return { company: { id, name }, ...(!isOnlyOne && { note: strings.dealWithOne(name) }) }
}

/**
 * Asks again after a different number of companies matched than the user saw. If the number changes once more, asks
 * once more.
 */
function CountChangedDialog({ rejected }: { rejected: RejectedChange }) {
  const { targets, changes, error } = rejected
  const change = useChangeCompanies()
  return (
    <ConfirmDialog
      title={strings.recountTitle}
      confirm={strings.change(error.count)}
      isDisabled={error.count === 0}
      act={async () => change.mutate({ targets: withNewCount(targets, error), changes })}
      close={() => rejectedChanges.remove(rejected)}
    >
      {error.message} {strings.recount(error.count)}
    </ConfirmDialog>
  )
}
