import { lazy, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { strings } from '#strings/keyboard.ts'
import { useMay } from '#web/api/use-may.ts'
import { countOf } from '#web/bulk-actions/target.ts'
import { type Action, useActions } from '#web/keyboard/actions.ts'
import { LazyDialog } from '#web/ui/lazy/lazy-dialog.tsx'
import { useChangeCompanies } from '../../hooks/use-change-companies.ts'
import { refusedChanges } from '../../refused-changes.ts'
import { type Changes, type Triaged, targetOf } from '../../triaged.ts'
import { DeleteDialog } from '../selection/delete-dialog.tsx'
import { ChoiceDialog, type ChoiceField } from './choice-dialog.tsx'
import { RecountDialog } from './recount-dialog.tsx'

const NewDeal = lazy(() => import('#web/screens/pipeline/components/deal/new-deal-dialog.tsx'))
const TagsDialog = lazy(() => import('./tags-dialog.tsx'))

interface TriageProps {
  targets: () => Triaged
  /** The company that has the focus, whatever is selected. */
  focused?: () => Triaged['company']
  /** Goes on to the next company after a change. */
  advance?: () => void
  onDeleted?: () => void
}

type Kind = ChoiceField | 'tags' | 'deal' | 'delete'

/** The keys that change companies, and their dialogs. */
export default function Triage({ targets, focused, advance, onDeleted }: TriageProps) {
  const [dialog, setDialog] = useState<{ kind: Kind; triaged: Triaged } | null>(null)
  const refused = useSyncExternalStore(refusedChanges.subscribe, refusedChanges.first)
  const change = useChangeCompanies()
  const isDone = useRef(false)
  const mayWrite = useMay('write')
  const mayDelete = useMay('delete')
  const open = (kind: Kind) => {
    const triaged = targets()
    if (countOf(targetOf(triaged)) > 0) setDialog({ kind, triaged })
  }
  // A deal is with one company.
  const openDeal = () => {
    const triaged = targets()
    const company = triaged.company ?? focused?.()
    if (company) setDialog({ kind: 'deal', triaged: { ...triaged, company } })
  }
  const close = () => setDialog(null)
  const save = (triaged: Triaged) => (changes: Changes) => {
    if (Object.keys(changes).length > 0) change.mutate({ triaged, changes })
    isDone.current = true
    close()
  }
  // Once the dialog is gone, which would otherwise give the focus back to the same company.
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
    { id: 'deal', label: strings.newDeal, group, keys: ['d'], run: openDeal },
  ]
  useActions([
    ...(mayWrite ? changes : []),
    mayDelete && {
      id: 'delete',
      label: strings.moveToTrash,
      group,
      keys: ['Delete'],
      run: () => open('delete'),
    },
  ])
  // An open dialog keeps what the user has entered.
  if (!dialog) return refused && <RecountDialog key={refused.id} refused={refused} />
  const { kind, triaged } = dialog
  if (kind === 'delete') return <DeleteDialog triaged={triaged} close={close} onDeleted={onDeleted} />
  if (kind === 'tags')
    return (
      <LazyDialog close={close}>
        <TagsDialog triaged={triaged} save={save(triaged)} close={close} />
      </LazyDialog>
    )
  if (kind === 'deal')
    return (
      <LazyDialog close={close}>
        <NewDeal {...newDealOf(triaged)} close={close} />
      </LazyDialog>
    )
  return <ChoiceDialog field={kind} triaged={triaged} save={save(triaged)} close={close} />
}

/** The company of a new deal; with several companies, the dialog says that it is for one of them only. */
function newDealOf(triaged: Triaged) {
  const { company } = triaged
  if (!company) return {}
  const { id, name } = company
  const isOnlyOne = countOf(targetOf(triaged)) === 1 && triaged.ids[0] === id
  return { company: { id, name }, ...(!isOnlyOne && { note: strings.dealWithOne(name) }) }
}
