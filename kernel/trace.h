/* SPDX-License-Identifier: GPL-2.0 */
/*
 * trace.h - tracepoints: session state, submit, complete (events/farmem/).
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM farmem

#if !defined(FARMEM_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define FARMEM_TRACE_H

#include <linux/blkdev.h>
#include <linux/tracepoint.h>

TRACE_EVENT(farmem_session_state,
	TP_PROTO(const char *session, const char *old_state,
		 const char *new_state),
	TP_ARGS(session, old_state, new_state),
	TP_STRUCT__entry(
		__string(session, session)
		__string(old_state, old_state)
		__string(new_state, new_state)
	),
	TP_fast_assign(
		farmem_assign_str(session, session);
		farmem_assign_str(old_state, old_state);
		farmem_assign_str(new_state, new_state);
	),
	TP_printk("session=%s old=%s new=%s", __get_str(session),
		  __get_str(old_state), __get_str(new_state))
);

TRACE_EVENT(farmem_submit,
	TP_PROTO(int disk, unsigned int op, u64 offset, unsigned int bytes,
		 int queue),
	TP_ARGS(disk, op, offset, bytes, queue),
	TP_STRUCT__entry(
		__field(int, disk)
		__field(unsigned int, op)
		__field(u64, offset)
		__field(unsigned int, bytes)
		__field(int, queue)
	),
	TP_fast_assign(
		__entry->disk = disk;
		__entry->op = op;
		__entry->offset = offset;
		__entry->bytes = bytes;
		__entry->queue = queue;
	),
	TP_printk("disk=farmem%d op=%s offset=%llu bytes=%u queue=%d",
		  __entry->disk,
		  __print_symbolic(__entry->op, { 0, "read" }, { 1, "write" },
				   { 2, "zero" }),
		  __entry->offset, __entry->bytes, __entry->queue)
);

TRACE_EVENT(farmem_complete,
	TP_PROTO(int disk, unsigned int op, u64 offset, unsigned int bytes,
		 blk_status_t status),
	TP_ARGS(disk, op, offset, bytes, status),
	TP_STRUCT__entry(
		__field(int, disk)
		__field(unsigned int, op)
		__field(u64, offset)
		__field(unsigned int, bytes)
		__field(int, error)
	),
	TP_fast_assign(
		__entry->disk = disk;
		__entry->op = op;
		__entry->offset = offset;
		__entry->bytes = bytes;
		__entry->error = blk_status_to_errno(status);
	),
	TP_printk("disk=farmem%d op=%s offset=%llu bytes=%u error=%d",
		  __entry->disk,
		  __print_symbolic(__entry->op, { 0, "read" }, { 1, "write" },
				   { 2, "zero" }),
		  __entry->offset, __entry->bytes, __entry->error)
);

#endif /* FARMEM_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
