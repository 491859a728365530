import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { columnsByField } from '#web/columns/columns-by-field.ts'
import { useColumns } from '#web/columns/use-columns.ts'
import { fieldQueries } from '#web/service/field-queries.ts'
import type { Columns } from '#web/views/column-state.ts'
import { BUILT_IN_COLUMNS, COMPANY_NAME } from './deal-columns.tsx'
import { DEFAULT_COLUMNS } from './default-columns.ts'
import type { PipelineSearch } from './pipeline-search.ts'
import { isInView } from './pipeline-view.ts'

/**
 * The columns of the list of deals, and the ways to change them.
 * @param own the user's columns outside of views, which changes there become
 */
export function useDealColumns(search: PipelineSearch, own: Columns, setOwn: (columns: Columns) => void) {
  const navigate = useNavigate({ from: '/pipeline' })
  const { data: fields } = useQuery(fieldQueries.fields('deal'))
  const known = useMemo(() => columnsByField(BUILT_IN_COLUMNS, fields), [fields])
  const inView = isInView(search)
  const show = useCallback(
    (columns: Columns) => {
      if (!inView) setOwn(columns)
      navigate({
        to: '/pipeline',
        search: (before) => ({ ...before, columns: [...columns] }),
        replace: true,
        resetScroll: false,
      })
    },
    [inView, setOwn, navigate],
  )
  const shown = search.columns ?? (inView ? DEFAULT_COLUMNS : own)
  return useColumns({ first: COMPANY_NAME, known, shown, defaults: DEFAULT_COLUMNS, show })
}
