package aura

// #include "shim.h"
//
// static go_json go_verify(uint32_t provider, _GoString_ request) {
//   go_json read = {AURA_STATUS_OK, NULL, NULL, NULL};
//   read.status = aura_verify(provider, PTR(request), &read.buffer, &read.error);
//   return read;
// }
//
// static go_json go_repair(uint32_t provider, _GoString_ request) {
//   go_json read = {AURA_STATUS_OK, NULL, NULL, NULL};
//   read.status = aura_repair(provider, PTR(request), &read.buffer, &read.second, &read.error);
//   return read;
// }
import "C"

// Violation is what breaks a rule of a provider.
type Violation struct {
	// Rule is the rule's permanent id.
	Rule string `json:"rule"`
	// Path says where, as a JSON pointer.
	Path    string `json:"path"`
	Meaning string `json:"meaning"`
}

// Repair is what was done about a broken rule.
type Repair struct {
	Rule string `json:"rule"`
	Path string `json:"path"`
	Did  string `json:"did"`
}

// Verify checks the JSON body of a request, made by whomever, against the rules of its provider. It needs no engine.
func Verify(provider Provider, request string) (found []Violation, err error) {
	number, err := provider.number()
	if err != nil {
		return nil, err
	}
	err = parsed(C.go_verify(C.uint32_t(number), request), &found)
	return found, err
}

// Mend mends the JSON body of a request with the least loss, so that Verify finds nothing, and says what it did.
func Mend(provider Provider, request string) (mended string, done []Repair, err error) {
	number, err := provider.number()
	if err != nil {
		return "", nil, err
	}
	read := C.go_repair(C.uint32_t(number), request)
	if err := failure(read.status, read.error); err != nil {
		return "", nil, err
	}
	defer C.aura_buffer_free(read.buffer)
	defer C.aura_buffer_free(read.second)
	err = unmarshal(goString(C.aura_buffer_text(read.second)), &done)
	return goString(C.aura_buffer_text(read.buffer)), done, err
}
