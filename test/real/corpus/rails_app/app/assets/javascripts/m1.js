var m1 = 1;
