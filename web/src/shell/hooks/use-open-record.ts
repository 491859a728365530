import { useNavigate } from '@tanstack/react-router'
import type { FoundRecord } from '#web/api/service.ts'
import type { ViewEntity } from '#web/views/view-queries.ts'
import { VIEW_SCREENS } from '#web/views/view-screens.ts'

/** Opens a record on its screen. */
export function useOpenRecord(): (record: FoundRecord) => void {
  const navigate = useNavigate()
  return ({ type, id, detail }) => {
    if (type === 'company') navigate({ to: '/companies/$id', params: { id } })
    else if (type === 'person') navigate({ to: '/people/$id', params: { id } })
    else if (type === 'deal') navigate({ to: '/deals/$id', params: { id } })
    else if (type === 'thesis') navigate({ to: '/theses/$id', params: { id } })
    else if (type === 'file') navigate({ to: '/files/$id', params: { id } })
    else if (type === 'note') navigate({ to: '/notes/$id', params: { id } })
    else navigate({ to: VIEW_SCREENS[(detail ?? 'company') as ViewEntity], search: { view: id } })
  }
}
