import { Button, Text, UnstyledButton } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { lazy, useState } from 'react'
import { strings } from '#strings/views.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { useActions } from '#web/keyboard/actions.ts'
import { overlayButton } from '#web/ui/anchored.tsx'
import { LazyDialog } from '#web/ui/lazy.tsx'
import { useMarkSeen } from './hooks/use-mark-seen.ts'
import type { OpenView } from './hooks/use-open-view.ts'
import { useSaveView } from './hooks/use-save-view.ts'
import { useViewActions } from './hooks/use-view-actions.ts'
import type { ViewDialogKind } from './view-menu.tsx'
import { ViewMenu } from './view-menu.tsx'
import { differences, EMPTY_STATE, stateOfView, type ViewDefaults, type ViewState } from './view-state.ts'
import { ViewTabs } from './view-tabs.tsx'
import classes from './views.module.css'

const ViewMenuButton = overlayButton('menu', ViewMenu)
const dialogs = () => import('./view-dialogs.tsx')
const ViewDialog = lazy(async () => ({ default: (await dialogs()).ViewDialog }))
const ConflictDialog = lazy(async () => ({ default: (await dialogs()).ConflictDialog }))
const DeleteViewDialog = lazy(async () => ({ default: (await dialogs()).DeleteViewDialog }))

interface ViewBarProps {
  open: OpenView
  /** What the list shows. */
  state: ViewState
  defaults: ViewDefaults
  /** Shows a state as that of a view, or of all records. */
  show: (id: string, state: ViewState) => void
  /** Shows all records. */
  showAll: () => void
}

/** The views as tabs, and the actions for the open one. */
export function ViewBar({ open, state, defaults, show, showAll }: ViewBarProps) {
  const { entity, view, views, changes, error } = open
  const actions = useViewActions(entity)
  const [dialog, setDialog] = useState<ViewDialogKind | null>(null)
  const close = () => setDialog(null)
  const saving = useSaveView(open, state, actions)
  const seen = useMarkSeen(view, actions)
  const isChanged = view
    ? changes.length > 0
    : differences({ ...state, columns: [], layout: null }, EMPTY_STATE, defaults).length > 0
  const saveAs = () => setDialog('save-as')
  useActions([{ id: 'save-as-view', label: strings.saveAsView, group: strings.viewsOf[entity], run: saveAs }])
  const reset = () => view && open.reset(() => show(view.id, stateOfView(view)))
  return (
    <>
      <ViewTabs
        entity={entity}
        views={views}
        current={view}
        isChanged={isChanged}
        reorder={actions.order.mutate}
        menu={
          <ViewMenuButton open={open} actions={actions} seen={seen} setDialog={setDialog}>
            <UnstyledButton
              className={classes.menu}
              aria-label={strings.viewMenu(view?.name ?? strings.all[entity])}
            >
              <IconChevronDown size={14} aria-hidden />
            </UnstyledButton>
          </ViewMenuButton>
        }
      />
      {error !== null && views.length === 0 && (
        <Text size="xs" c="dimmed" role="alert">
          {strings.notLoaded(errorMessage(error))}
        </Text>
      )}
      {isChanged && (
        <div className={classes.saving}>
          {view?.may_change && (
            <Button
              size="compact-xs"
              variant="light"
              loading={saving.isPending}
              onClick={() => saving.save(view)}
            >
              {strings.save}
            </Button>
          )}
          <Button size="compact-xs" variant="subtle" onClick={saveAs}>
            {view ? strings.saveAs : strings.saveAsView}
          </Button>
          {view && (
            <Button size="compact-xs" variant="subtle" color="gray" onClick={reset}>
              {strings.reset}
            </Button>
          )}
        </div>
      )}
      {(dialog === 'save-as' || dialog === 'rename') && (
        <LazyDialog close={close}>
          <ViewDialog
            view={dialog === 'rename' ? view : undefined}
            seenAt={open.base?.updated_at}
            suggestion={view ? strings.copyOf(view.name) : ''}
            state={state}
            actions={actions}
            saved={(saved) => {
              open.rebase(saved)
              if (dialog === 'save-as') show(saved.id, stateOfView(saved))
            }}
            close={close}
          />
        </LazyDialog>
      )}
      {dialog === 'delete' && view && (
        <LazyDialog close={close}>
          <DeleteViewDialog view={view} actions={actions} deleted={showAll} close={close} />
        </LazyDialog>
      )}
      {saving.conflict && view && (
        <LazyDialog close={saving.dismiss}>
          <ConflictDialog
            view={saving.conflict}
            overwrite={() => saving.overwrite(view)}
            saveAs={() => {
              saving.dismiss()
              saveAs()
            }}
            close={saving.dismiss}
          />
        </LazyDialog>
      )}
    </>
  )
}
