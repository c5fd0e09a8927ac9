var m7 = 7;
