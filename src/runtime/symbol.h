/* symbol.h - the name of the function at an address, and its place in the file. */
#ifndef ANT_RUNTIME_SYMBOL_H
#define ANT_RUNTIME_SYMBOL_H

#include "base/log.h"

/* Prints the function, or what else is known of a return address: that may lie behind the end of its
 * function, as the call itself is one before. */
void ant__symbol_print(struct ant__out *out, const char *indent, const void *address);

void ant__symbols_forked(void); /* in the child: whoever looked one up did not come along */

/* Libraries may have gone, and others come to where they were. */
void ant__symbols_forget(void);

#endif
