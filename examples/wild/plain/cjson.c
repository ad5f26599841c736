/* plain/cjson.c: two bugs of cJSON in Debian 12 without Warren: cc cjson.c -lcjson */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

int main(void)
{
    cJSON *array = cJSON_Parse("[0, 2]");
    cJSON *one = cJSON_CreateNumber(1);
    int    inserted = cJSON_InsertItemInArray(array, 1, one);
    char  *text = cJSON_PrintUnformatted(array);
    printf("1 inserted into [0,2] at place 1: %s, and the array is %s\n",
           inserted ? "done" : "refused", text);
    int bugs = !inserted;
    if (!inserted)
        cJSON_Delete(one);
    cJSON_Delete(array);
    free(text);

    char small[] = "[\"\\\\\", \"a b\"]";
    printf("%s without white space: ", small);
    cJSON_Minify(small);
    puts(small);
    bugs += strcmp(small, "[\"\\\\\",\"a b\"]") != 0;

    printf("%d of 2 bugs are there\n", bugs);
    return bugs > 0;
}
