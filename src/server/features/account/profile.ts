import type { Call } from '../../core/call.ts'
import { notificationsOf } from '../staff/notifications.ts'

/** The caller's profile, with their notifications. */
export async function profileOf(call: Call) {
  const { id, username, first_name, last_name, email, groups, status, hub, services, contracts, digest } =
    call.me
  const notifications = await notificationsOf(call)
  return {
    ...{ id, username, first_name, last_name, email, groups, status, hub, services, contracts, digest },
    notifications,
  }
}
