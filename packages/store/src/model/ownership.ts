import type { RefText } from "@loopwork/core/ports";

/**
 * Whether a work item is another instance's: that one was asked for it, or has its lanes where
 * nobody was asked. One row when it is.
 */
export function elsewhere(
  instance: string,
  workItem: RefText,
): readonly [sql: string, ...values: string[]] {
  return [
    `select 1 from (select (select instance from work_item where ref = ?) as asked) as claimed where asked <> ?
     or (asked is null and exists (select 1 from lane where work_item = ? and instance <> ?) and not exists (select 1 from lane where work_item = ? and instance = ?))`,
    ...[workItem, instance, workItem, instance, workItem, instance],
  ];
}
