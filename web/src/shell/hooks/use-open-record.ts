import { useNavigate } from '@tanstack/react-router'
import type { FoundRecord } from '#web/api/service.ts'
import type { ViewEntity } from '#web/views/view-queries.ts'
import { VIEW_SCREENS } from '#web/views/view-screens.ts'

/** Opens a record on its screen. */
export function useOpenRecord(): (record: FoundRecord, search: string) => void {
  const navigate = useNavigate()
  return ({ type, id, detail, page }, search) => {
    if (type === 'company') navigate({ to: '/companies/$id', params: { id } })
    else if (type === 'person') navigate({ to: '/people/$id', params: { id } })
    else if (type === 'deal') navigate({ to: '/deals/$id', params: { id } })
    else if (type === 'thesis') navigate({ to: '/theses/$id', params: { id } })
    else if (type === 'file')
      navigate({ to: '/files/$id', params: { id }, search: page ? { page, search } : {} })
    else if (type === 'note') navigate({ to: '/notes/$id', params: { id } })
    else navigate({ to: VIEW_SCREENS[(detail ?? 'company') as ViewEntity], search: { view: id } })
  }
}
