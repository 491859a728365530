import { useCallback, useMemo, useRef, useState } from 'react'
import type { Deal } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { TaskKeys } from '#web/tasks/task-keys.tsx'
import { BoardContext, useBoard } from '../../board-context.ts'
import { aboutFocused, useBoardKeys } from '../../board-keys.ts'
import type { BoardStage } from '../../deal-cache.ts'
import { dealsOfColumn, NO_DEALS } from '../../deals.ts'
import { useHiddenStages } from '../../hooks/use-hidden-stages.ts'
import { useKeepFocus } from '../../hooks/use-keep-focus.ts'
import { useSelection } from '../../hooks/use-selection.ts'
import type { DealSelection } from '../../pipeline-query.ts'
import { PipelineBar } from '../pipeline-bar.tsx'
import classes from './board.module.css'
import { Board } from './board.tsx'

interface BoardLayoutProps {
  columns: readonly BoardStage[]
  selection: DealSelection
  open: string | undefined
}

/** The board with its totals and the bar of the selected deals. */
export function BoardLayout({ columns, selection, open }: BoardLayoutProps) {
  const [more, setMore] = useState<Record<string, readonly Deal[]>>({})
  const load = useCallback(
    (stage: string, deals: readonly Deal[]) =>
      setMore((before) => ((before[stage] ?? NO_DEALS) === deals ? before : { ...before, [stage]: deals })),
    [],
  )
  const shown = useMemo(
    () => columns.flatMap(({ stage, records }) => dealsOfColumn(stage, records, more[stage] ?? [])),
    [columns, more],
  )
  const selected = useSelection(shown)
  const showAll = useRef<() => void>(null)
  const [isMoving, setMoving] = useState(false)
  const scroller = useRef<HTMLElement>(null)
  const hidden = useHiddenStages(scroller, columns)
  const mayWrite = useCan('write')
  const region = useRef<HTMLDivElement>(null)
  useBoardKeys({ region, selected, shown, hasColumns: true, mayWrite, setMoving, showAll })
  useKeepFocus(shown)
  const board = useBoard()
  const context = useMemo(() => ({ ...board, toggle: selected.toggle }), [board, selected.toggle])
  const scroll = (direction: -1 | 1) =>
    scroller.current?.scrollBy({ left: (direction * scroller.current.clientWidth) / 2, behavior: 'smooth' })
  return (
    <BoardContext value={context}>
      <TaskKeys about={() => aboutFocused(shown)} />
      <PipelineBar {...{ columns, selected, isMoving, setMoving, hidden, scroll }} />
      <div
        ref={region}
        className={classes.frame}
        data-more-before={hidden.before > 0 || undefined}
        data-more-after={hidden.after > 0 || undefined}
      >
        <Board
          columns={columns}
          selection={selection}
          selected={selected}
          open={open}
          showAll={showAll}
          scroller={scroller}
          onLoad={load}
        />
      </div>
    </BoardContext>
  )
}
